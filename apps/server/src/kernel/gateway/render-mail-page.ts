import type { StoredMail } from './read-mail-folder.ts';

/** The page's only style; its hash goes into the page's own policy. */
export const MAIL_PAGE_STYLE = `
  :root { color-scheme: light dark; --line: light-dark(#e4e0d8, #2a2c33); --muted: light-dark(#6b675f, #9a9ca5); }
  * { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; font: 16px/1.5 system-ui, sans-serif;
    background: light-dark(#fbfaf7, #0e0f12); color: light-dark(#22201c, #ececf0); }
  h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
  p { margin: 0; color: var(--muted); }
  details { margin-top: 1rem; border: 1px solid var(--line); border-radius: 12px; overflow: hidden;
    background: light-dark(#fff, #16181d); }
  summary { padding: .9rem 1.1rem; cursor: pointer; display: grid; gap: .1rem; }
  summary strong { overflow-wrap: anywhere; }
  summary span { color: var(--muted); font-size: .875rem; overflow-wrap: anywhere; }
  iframe { display: block; width: 100%; height: 32rem; border: 0; border-top: 1px solid var(--line); background: #fff; }
  pre { margin: 0; padding: 1rem 1.1rem; border-top: 1px solid var(--line); white-space: pre-wrap;
    overflow-wrap: anywhere; font: .875rem/1.6 ui-monospace, monospace; }
  a { color: light-dark(#1f5fbf, #8ab4f8); }
`;

/** The mails of an installation without a mail server, for the person who runs it. */
export function renderMailPage(mails: readonly StoredMail[]): string {
  const list =
    mails.length === 0
      ? '<p>Nenhum e-mail ainda. Eles aparecem aqui assim que são enviados.</p>'
      : mails.map(renderMail).join('\n');
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>E-mails enviados · Linkoteca</title>
<style>${MAIL_PAGE_STYLE}</style>
</head>
<body>
<h1>E-mails enviados</h1>
<p>Sem servidor de e-mail configurado, as mensagens ficam só neste computador. As mais novas vêm primeiro.</p>
${list}
</body>
</html>
`;
}

/** The newest is open. Frames of the closed ones load only when opened. */
function renderMail(mail: StoredMail, index: number): string {
  const source = `/dev/mail/${encodeURIComponent(mail.id)}`;
  return `<details${index === 0 ? ' open' : ''}>
<summary><strong>${escapeHtml(mail.subject)}</strong><span>Para ${escapeHtml(mail.to)} · ${formatTime(mail.date)}</span></summary>
<iframe src="${source}" title="${escapeHtml(mail.subject)}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<pre>${linkAddresses(mail.text)}</pre>
</details>`;
}

/** What the frame shows: links open in a new tab, because the frame itself may not leave. */
export function renderMailFrame(mail: StoredMail): string {
  const body = mail.html === '' ? `<pre>${linkAddresses(mail.text)}</pre>` : mail.html;
  return `<!doctype html><meta charset="utf-8"><base target="_blank">${body}`;
}

function formatTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium' }).format(date);
}

function linkAddresses(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1
        ? `<a href="${escapeHtml(part)}" target="_blank" rel="noopener">${escapeHtml(part)}</a>`
        : escapeHtml(part),
    )
    .join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
