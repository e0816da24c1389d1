/** A mail's words, before its look. Plain text everywhere: whatever needs escaping is escaped here. */
export type Letter = {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly button?: { readonly label: string; readonly link: string };
  /** A code to type, shown large. */
  readonly code?: string;
  /** What to do when the mail was not expected. */
  readonly footnote: string;
  /** Where to say that one wants no more mails of this kind. */
  readonly unsubscribe?: { readonly label: string; readonly link: string };
};

/** A letter in the two forms that mail programs show. */
export type RenderedLetter = { readonly subject: string; readonly text: string; readonly html: string };

const ACCENT = '#1d7a5f';
const INK = '#23262b';
const MUTED = '#6a6f76';
const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/**
 * Dresses a letter as HTML and as text. Tables and inline styles only, no image and no web font: mail programs know little
 * else, and a mail that loads nothing tells nobody when it was read.
 */
export function renderLetter(letter: Letter): RenderedLetter {
  return { subject: letter.subject, text: renderText(letter), html: renderHtml(letter) };
}

function renderText({ title, paragraphs, button, code, footnote, unsubscribe }: Letter): string {
  const action = button ? [`${button.label}:\n${button.link}`] : [];
  const spelledCode = code ? [`Código: ${code}`] : [];
  const ending = unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.link}`] : [];
  return [title, ...paragraphs, ...action, ...spelledCode, footnote, '— Linkoteca', ...ending]
    .join('\n\n')
    .concat('\n');
}

function renderHtml(letter: Letter): string {
  const { subject, title, paragraphs, button, code, footnote, unsubscribe } = letter;
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f7f5f1;font-family:${FONT};color:${INK};">
<div style="display:none;max-height:0;overflow:hidden;">${escapeHtml(paragraphs[0] ?? title)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f7f5f1;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;">
<tr><td style="padding:0 4px 16px;font-size:18px;font-weight:700;color:${ACCENT};">Linkoteca</td></tr>
<tr><td style="background:#ffffff;border:1px solid #e4e0d9;border-radius:12px;padding:32px 28px;">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600;color:${INK};">${escapeHtml(title)}</h1>
${paragraphs.map(renderParagraph).join('\n')}
${button ? renderButton(button) : ''}${code ? renderCode(code) : ''}
<p style="margin:24px 0 0;font-size:13px;line-height:1.5;color:${MUTED};">${escapeHtml(footnote)}</p>
</td></tr>
<tr><td style="padding:16px 4px 0;font-size:12px;color:${MUTED};">Linkoteca, sua biblioteca de links.${unsubscribe ? renderUnsubscribe(unsubscribe) : ''}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function renderParagraph(paragraph: string): string {
  return `<p style="margin:0 0 16px;font-size:15px;line-height:1.6;">${escapeHtml(paragraph)}</p>`;
}

function renderButton({ label, link }: NonNullable<Letter['button']>): string {
  const href = escapeHtml(link);
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0;">
<tr><td style="background:${ACCENT};border-radius:8px;">
<a href="${href}" style="display:inline-block;padding:12px 24px;font-size:15px;font-weight:600;color:#ffffff;text-decoration:none;">${escapeHtml(label)}</a>
</td></tr>
</table>
<p style="margin:0;font-size:13px;line-height:1.5;color:${MUTED};">Se o botão não funcionar, copie este endereço no navegador:<br>
<a href="${href}" style="color:${ACCENT};word-break:break-all;">${href}</a></p>`;
}

function renderUnsubscribe({ label, link }: NonNullable<Letter['unsubscribe']>): string {
  return `<br>
<a href="${escapeHtml(link)}" style="color:${MUTED};">${escapeHtml(label)}</a>`;
}

function renderCode(code: string): string {
  return `
<p style="margin:24px 0 0;font-size:28px;font-weight:700;letter-spacing:6px;color:${INK};">${escapeHtml(code)}</p>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
