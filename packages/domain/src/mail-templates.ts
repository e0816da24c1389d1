import { formatLongDate } from './dates.ts';

/** A mail's words, before its look. Plain text everywhere: whatever needs escaping is escaped here. */
export type MailContent = {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Lists under headings, after the paragraphs. */
  readonly sections?: readonly MailSection[];
  readonly button?: { readonly label: string; readonly link: string };
  /** A code to type, shown large. */
  readonly code?: string;
  /** What to do when the mail was not expected. */
  readonly footnote: string;
  /** Where to say that one wants no more mails of this kind. */
  readonly unsubscribe?: { readonly label: string; readonly link: string };
};

/** A heading and lines, each of which may have a quieter end. */
export type MailSection = {
  readonly heading: string;
  readonly aside?: string;
  readonly lines: readonly { readonly text: string; readonly aside?: string }[];
};

/** A mail in the two forms that mail programs show. */
export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string };

const ACCENT = '#1d7a5f';
const INK = '#23262b';
const MUTED = '#6a6f76';
/** By class, over what stands in the elements themselves: programs that know no style sheet show the light mail. */
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #0e0f12 !important; }
  .card { background: #16181d !important; border-color: #2a2c33 !important; }
  .ink { color: #ececf0 !important; }
  .muted { color: #a3a5ae !important; }
  .accent { color: #6fcfae !important; }
}`;
const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/**
 * Renders a mail as HTML and as text. Tables and inline styles, a sheet only for the dark, no image and no web font: mail programs know little
 * else, and a mail that loads nothing tells nobody when it was read.
 */
export function renderMail(content: MailContent): RenderedMail {
  return { subject: content.subject, text: renderText(content), html: renderHtml(content) };
}

function renderText({
  title,
  paragraphs,
  sections = [],
  button,
  code,
  footnote,
  unsubscribe,
}: MailContent): string {
  const action = button ? [`${button.label}:\n${button.link}`] : [];
  const spelledCode = code ? [`Código: ${code}`] : [];
  const ending = unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.link}`] : [];
  const lists = sections.map(renderTextSection);
  return [title, ...paragraphs, ...lists, ...action, ...spelledCode, footnote, '— Linkoteca', ...ending]
    .join('\n\n')
    .concat('\n');
}

function renderTextSection({ heading, aside, lines }: MailSection): string {
  const end = (words?: string) => (words ? ` (${words})` : '');
  return [`${heading}${end(aside)}`, ...lines.map((line) => `- ${line.text}${end(line.aside)}`)].join('\n');
}

function renderHtml(content: MailContent): string {
  const { subject, title, paragraphs, sections = [], button, code, footnote, unsubscribe } = content;
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
${DARK}
</style>
</head>
<body class="page ink" style="margin:0;padding:0;background:#f7f5f1;font-family:${FONT};color:${INK};">
<div style="display:none;max-height:0;overflow:hidden;">${escapeHtml(paragraphs[0] ?? title)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f7f5f1;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;">
<tr><td class="accent" style="padding:0 4px 16px;font-size:18px;font-weight:700;color:${ACCENT};">Linkoteca</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #e4e0d9;border-radius:12px;padding:32px 28px;">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600;color:${INK};">${escapeHtml(title)}</h1>
${[...paragraphs.map(renderParagraph), ...sections.map(renderSection)].join('\n')}
${button ? renderButton(button) : ''}${code ? renderCode(code) : ''}
<p class="muted" style="margin:24px 0 0;font-size:13px;line-height:1.5;color:${MUTED};">${escapeHtml(footnote)}</p>
</td></tr>
<tr><td class="muted" style="padding:16px 4px 0;font-size:12px;color:${MUTED};">Linkoteca, sua biblioteca de links.${unsubscribe ? renderUnsubscribe(unsubscribe) : ''}</td></tr>
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

function renderSection({ heading, aside, lines }: MailSection): string {
  const items = lines.map(
    (line) =>
      `<li style="margin:0 0 6px;font-size:15px;line-height:1.5;overflow-wrap:anywhere;">${escapeHtml(line.text)}${renderAside(line.aside, 'display:block;')}</li>`,
  );
  const list = `<ul style="margin:0 0 16px;padding:0 0 0 20px;">\n${items.join('\n')}\n</ul>`;
  return `<h2 class="ink" style="margin:24px 0 8px;font-size:16px;line-height:1.4;font-weight:600;overflow-wrap:anywhere;color:${INK};">${escapeHtml(heading)}${renderAside(aside)}</h2>
${lines.length > 0 ? list : ''}`;
}

function renderAside(words: string | undefined, place = ''): string {
  return words
    ? ` <span class="muted" style="${place}font-size:13px;font-weight:400;color:${MUTED};">${escapeHtml(words)}</span>`
    : '';
}

function renderButton({ label, link }: NonNullable<MailContent['button']>): string {
  const href = escapeHtml(link);
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0;">
<tr><td style="background:${ACCENT};border-radius:8px;">
<a href="${href}" style="display:inline-block;padding:12px 24px;font-size:15px;font-weight:600;color:#ffffff;text-decoration:none;">${escapeHtml(label)}</a>
</td></tr>
</table>
<p class="muted" style="margin:0;font-size:13px;line-height:1.5;color:${MUTED};">Se o botão não funcionar, copie este endereço no navegador:<br>
<a class="accent" href="${href}" style="color:${ACCENT};word-break:break-all;">${href}</a></p>`;
}

function renderUnsubscribe({ label, link }: NonNullable<MailContent['unsubscribe']>): string {
  return `<br>
<a class="muted" href="${escapeHtml(link)}" style="color:${MUTED};">${escapeHtml(label)}</a>`;
}

function renderCode(code: string): string {
  return `
<p class="ink" style="margin:24px 0 0;font-size:28px;font-weight:700;letter-spacing:6px;color:${INK};">${escapeHtml(code)}</p>`;
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

export type AccountMailKind = 'deleted' | 'inactive_first' | 'inactive_second' | 'suspended' | 'webhook_off';

/** A row of `claim_account_mails`, and where its link leads. */
type AccountMailFacts = {
  readonly kind: AccountMailKind;
  readonly email: string;
  readonly name: string | null;
  /** Until when an account can be had back, when it will be suspended, or since when a webhook is off. */
  readonly deadline: Date;
  /** Where people open the product, without a slash at the end. */
  readonly siteUrl: string;
};

type AccountMail = RenderedMail & {
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A mail does not know where it is read. */
const ZONE = 'America/Sao_Paulo';
const DAY_MS = 86_400_000;
/** Longer than a name of one's own, and a name that looks like an address is none. */
const MAX_NAME = 60;

/** The mail about an account's own life: it was closed, it will be suspended, it is; or a webhook of it was turned off. */
export function writeAccountMail(facts: AccountMailFacts): AccountMail {
  return {
    ...renderMail(TEMPLATES[facts.kind](facts)),
    to: facts.email,
    // RFC 3834: automatic replies shall not answer it.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

const TEMPLATES: Readonly<Record<AccountMailKind, (facts: AccountMailFacts) => MailContent>> = {
  deleted: ({ siteUrl, email, name, deadline }) => ({
    subject: 'Sua conta na Linkoteca foi excluída',
    title: 'Sua conta foi excluída',
    paragraphs: [
      greet(name),
      `A conta ${email} foi fechada, como você pediu. Você saiu em todos os dispositivos, nada mais é cobrado, e o que estava compartilhado não abre mais.`,
      // The last whole day: whoever comes on it is not too late, wherever they are.
      `Mudou de ideia? Entre de novo até ${day(deadline, -1)} e tudo volta, menos os compartilhamentos. Depois dessa data, todos os seus dados são apagados de vez.`,
    ],
    button: { label: 'Restaurar minha conta', link: `${siteUrl}/login` },
    footnote:
      'Se não foi você quem pediu, entre na sua conta agora para restaurá-la e troque a senha em seguida.',
  }),
  inactive_first: (facts) => warn(facts, 'Sua conta na Linkoteca será suspensa em breve'),
  inactive_second: (facts) => warn(facts, 'Último aviso: sua conta na Linkoteca será suspensa'),
  suspended: ({ siteUrl, email, name }) => ({
    subject: 'Sua conta na Linkoteca foi suspensa',
    title: 'Sua conta foi suspensa por falta de uso',
    paragraphs: [
      greet(name),
      `Ninguém entra na conta ${email} há mais de 12 meses, e ela foi suspensa. Seus links estão guardados, mas o que você compartilhou não abre enquanto isso.`,
      'Para reativar tudo na hora, basta entrar.',
    ],
    button: { label: 'Reativar minha conta', link: `${siteUrl}/login` },
    footnote: 'Você recebeu este e-mail porque tem uma conta na Linkoteca.',
  }),
  webhook_off: ({ siteUrl, email, name, deadline }) => ({
    subject: 'Um webhook da sua conta na Linkoteca foi desligado',
    title: `Um webhook foi desligado em ${day(deadline)}`,
    paragraphs: [
      greet(name),
      `Um webhook da conta ${email} não aceita mais o que enviamos, e foi desligado. O que muda na sua biblioteca não é mais avisado a esse endereço.`,
      'Veja no seu perfil o que ele respondeu. Quando estiver arrumado, ligue-o de novo: o que ainda espera é enviado.',
    ],
    button: { label: 'Ver meus webhooks', link: `${siteUrl}/profile?tab=programs` },
    footnote: 'Você recebeu este e-mail porque tem uma conta na Linkoteca.',
  }),
};

function warn({ siteUrl, email, name, deadline }: AccountMailFacts, subject: string): MailContent {
  return {
    subject,
    title: `Sua conta será suspensa em ${day(deadline)}`,
    paragraphs: [
      greet(name),
      `Faz muito tempo que ninguém entra na conta ${email}. Contas sem uso por 12 meses são suspensas: seus links continuam guardados, mas o que você compartilhou deixa de abrir.`,
      'Para que nada mude, basta entrar uma vez.',
    ],
    button: { label: 'Entrar na Linkoteca', link: `${siteUrl}/login` },
    footnote: 'Você recebeu este e-mail porque tem uma conta na Linkoteca.',
  };
}

function day(date: Date, days = 0): string {
  return formatLongDate(new Date(date.getTime() + days * DAY_MS), ZONE);
}

/** Names are free text: one that mail programs could take for a link is left out. */
function greet(name: string | null): string {
  const line = (name ?? '').replace(/\s+/g, ' ').trim();
  return line === '' || line.length > MAX_NAME || /[.:@/\\\p{C}]/u.test(line) ? 'Olá!' : `Olá, ${line}!`;
}
