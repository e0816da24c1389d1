import { GoTemplateError } from '../../kernel/go-template/lex-go-template.ts';
import { parseGoTemplate } from '../../kernel/go-template/parse-go-template.ts';
import { renderGoTemplate } from '../../kernel/go-template/render-go-template.ts';
import type { MailOverride } from '../../kernel/settings.ts';
import { type HostedMail, writeHostedTemplates } from './hosted-mail-templates.ts';
import { htmlToText } from './html-to-text.ts';

/** What an operator's mail may have in it. (Source: GoTrue, `templatemailer`.) */
const VARIABLES = [
  'ConfirmationURL',
  'Token',
  'TokenHash',
  'SiteURL',
  'Email',
  'NewEmail',
  'SendingTo',
  'RedirectTo',
  'Data',
] as const;

/** What one about a change may have in it. */
const NOTICE_VARIABLES = ['SiteURL', 'Email', 'OldEmail', 'Phone', 'OldPhone', 'Provider', 'FactorType'];

export type MailValues = Readonly<Record<Exclude<(typeof VARIABLES)[number], 'Data'>, string>> & {
  /** What an account says of itself, or a sign-up of the account it asks for. */
  readonly Data: Readonly<Record<string, unknown>>;
};

/** More is no mail. */
const MAX_LENGTH = 262_144;

type Written = { readonly subject: string | undefined; readonly content: string | undefined };

/**
 * Reads what an operator wrote for a mail.
 * @returns undefined where it says word for word what our own does: that has a text part of its own and names the real deadline.
 * @throws GoTemplateError
 */
export function readMailOverride(name: HostedMail, { subject, content }: Written): MailOverride | undefined {
  const own = writeHostedTemplates()[name];
  if (content !== undefined && content.length > MAX_LENGTH)
    throw new GoTemplateError(`mais longo que ${MAX_LENGTH} caracteres`, 1);
  const isOwn = (given: string | undefined, ours: string) =>
    given === undefined || given.trim() === ours.trim();
  if (isOwn(subject, own.subject) && isOwn(content, own.html)) return undefined;
  return {
    ...(isOwn(subject, own.subject)
      ? {}
      : { subject: parseGoTemplate(subject ?? '', { as: 'text', variables: VARIABLES }) }),
    ...(isOwn(content, own.html)
      ? {}
      : { content: parseGoTemplate(content ?? '', { as: 'html', variables: VARIABLES }) }),
  };
}

/** The same for a mail about a change. @throws GoTemplateError */
export function readNoticeOverride({ subject, content }: Written): MailOverride | undefined {
  if (subject === undefined && content === undefined) return undefined;
  if (content !== undefined && content.length > MAX_LENGTH)
    throw new GoTemplateError(`mais longo que ${MAX_LENGTH} caracteres`, 1);
  const variables = NOTICE_VARIABLES;
  return {
    ...(subject === undefined ? {} : { subject: parseGoTemplate(subject, { as: 'text', variables }) }),
    ...(content === undefined ? {} : { content: parseGoTemplate(content, { as: 'html', variables }) }),
  };
}

type Mail = { readonly subject: string; readonly text: string; readonly html: string };

type Values = MailValues | Readonly<Record<string, string>>;

/** A mail of ours with what the operator wrote in its place. */
export function applyMailOverride(own: Mail, override: MailOverride, values: Values): Mail {
  const html = override.content && renderGoTemplate(override.content, values);
  const subject = override.subject && renderGoTemplate(override.subject, values);
  return {
    // A header is one line.
    subject: subject === undefined ? own.subject : subject.replace(/[\s\p{Cc}]+/gu, ' ').trim(),
    html: html ?? own.html,
    text: html === undefined ? own.text : htmlToText(html),
  };
}
