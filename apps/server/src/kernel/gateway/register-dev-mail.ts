import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Mail } from '../mail.ts';
import { type StoredText, TEXT_FILE_SUFFIX } from '../text-messages.ts';
import type { OperatorAccess } from './operator-access.ts';

/** The page's only style; its hash goes into the page's own policy. */
const MAIL_PAGE_STYLE = `
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

/** The mails and text messages of an installation that has nobody to send them, for the person who runs it. The newest is open. */
function renderMailPage(mails: readonly StoredMail[]): string {
  const list = mails.map((mail, index) =>
    renderMail(mail, `/dev/mail/${encodeURIComponent(mail.id)}`, formatTime(mail.date), index === 0),
  );
  return renderPage(
    'E-mails enviados',
    'Sem quem as envie, as mensagens ficam só neste computador. As mais novas vêm primeiro. <a href="/dev/mail/preview">Todos os modelos</a>',
    list.length === 0 ? ['<p>Nenhum e-mail ainda. Eles aparecem aqui assim que são enviados.</p>'] : list,
  );
}

/** Each kind of mail, whether one was ever sent or not, for whoever writes templates. */
function renderPreviewPage(mails: Readonly<Record<string, Mail>>): string {
  return renderPage(
    'Modelos de e-mail',
    'Cada e-mail como esta instalação o escreve. Nenhum foi enviado; os links e os códigos são exemplos.',
    Object.entries(mails).map(([name, mail]) =>
      renderMail(mail, `/dev/mail/preview/${encodeURIComponent(name)}`, name, false),
    ),
  );
}

function renderPage(title: string, words: string, list: readonly string[]): string {
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Linkoteca</title>
<style>${MAIL_PAGE_STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p>${words}</p>
${list.join('\n')}
</body>
</html>
`;
}

/** Frames of those that are closed load only when opened. @param source where the frame gets the mail from */
function renderMail(
  mail: Pick<StoredMail, 'subject' | 'to' | 'text'>,
  source: string,
  note: string,
  isOpen: boolean,
): string {
  return `<details${isOpen ? ' open' : ''}>
<summary><strong>${escapeHtml(mail.subject)}</strong><span>Para ${escapeHtml(mail.to)} · ${escapeHtml(note)}</span></summary>
<iframe src="${source}" title="${escapeHtml(mail.subject)}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<pre>${linkAddresses(mail.text)}</pre>
</details>`;
}

/** What the frame shows: links open in a new tab, because the frame itself may not leave. */
function renderMailFrame(mail: Pick<StoredMail, 'html' | 'text'>): string {
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

export type DevMailOptions = {
  readonly mailFolder: string;
  readonly operator: OperatorAccess;
  /** Every mail of the installation, by name. */
  readonly previewMails?: () => Readonly<Record<string, Mail>>;
};

const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(MAIL_PAGE_STYLE).digest('base64')}'`,
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Mail programs run no scripts either. Sandboxed by the answer itself, so that it is safe outside of its frame too. */
const FRAME_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "frame-ancestors 'self'",
].join('; ');

/**
 * Shows the mails and text messages of an installation that has nobody to send them. They hold links that sign people in, so nobody but the
 * operator sees that the page exists. Register it only where somebody's mails or text messages stay here.
 */
export function registerDevMail(
  app: FastifyInstance,
  { mailFolder, operator, previewMails = () => ({}) }: DevMailOptions,
): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const exchanged = operator.exchangeKey(request, reply, '/dev/mail');
      if (exchanged) return exchanged;
      if (!operator.isOperator(request)) return reply.callNotFound();
      reply.headers({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
    });

    scope.get('/dev/mail', async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', PAGE_POLICY)
        .send(renderMailPage(await readMailFolder(mailFolder))),
    );

    scope.get('/dev/mail/preview', async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', PAGE_POLICY)
        .send(renderPreviewPage(previewMails())),
    );

    scope.get<{ Params: { name: string } }>('/dev/mail/preview/:name', async (request, reply) => {
      const mails = previewMails();
      const { name } = request.params;
      const mail = Object.hasOwn(mails, name) ? mails[name] : undefined;
      if (!mail) return reply.callNotFound();
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', FRAME_POLICY)
        .send(renderMailFrame(mail));
    });

    scope.get('/dev/mail.json', async (_request, reply) => reply.send(await readMailFolder(mailFolder)));

    scope.get<{ Params: { id: string } }>('/dev/mail/:id', async (request, reply) => {
      const mail = (await readMailFolder(mailFolder)).find(({ id }) => id === request.params.id);
      if (!mail) return reply.callNotFound();
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', FRAME_POLICY)
        .send(renderMailFrame(mail));
    });
  });
}

type StoredMail = {
  /** The file's name without its end. */
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly date: string;
  readonly text: string;
  readonly html: string;
};

const MAX_MAILS = 100;
const SUFFIXES = ['.eml', TEXT_FILE_SUFFIX];

/** The newest mails and text messages of the folder, newest first: their names start with the time at which they were written. */
async function readMailFolder(folder: string): Promise<StoredMail[]> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => SUFFIXES.some((suffix) => name.endsWith(suffix)) && !name.startsWith('.'))
    .sort()
    .reverse()
    .slice(0, MAX_MAILS);
  // Only this page needs the parser.
  const { default: PostalMime } = await import('postal-mime');
  return Promise.all(
    names.map(async (name) => {
      if (name.endsWith(TEXT_FILE_SUFFIX))
        return presentText(name, JSON.parse(await readFile(join(folder, name), 'utf8')) as StoredText);
      const mail = await PostalMime.parse(await readFile(join(folder, name)));
      return {
        id: name.slice(0, -'.eml'.length),
        to: (mail.to ?? []).map(({ address }) => address ?? '').join(', '),
        from: mail.from?.address ?? '',
        subject: mail.subject ?? '',
        date: mail.date ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
      };
    }),
  );
}

function presentText(name: string, { to, channel, text, date }: StoredText): StoredMail {
  const subject = channel === 'whatsapp' ? 'Mensagem de WhatsApp' : 'Mensagem de texto (SMS)';
  const id = name.slice(0, -TEXT_FILE_SUFFIX.length);
  return { id, to: `+${to}`, from: '', subject, date, text, html: '' };
}
