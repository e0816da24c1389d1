import { type RenderedMail, renderMail } from '@linkoteca/domain/mail-templates';
import { DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { fillTemplate, type MailTemplate } from './mail-templates.ts';

/** The platform's names of the mails that its operator may write (GoTrue, `templatemailer`). */
export const HOSTED_MAILS = [
  'confirmation',
  'magic_link',
  'recovery',
  'invite',
  'email_change',
  'reauthentication',
] as const;
export type HostedMail = (typeof HOSTED_MAILS)[number];

/** What the hosted platform fills in. */
const FACTS = {
  link: '{{ .ConfirmationURL }}',
  code: '{{ .Token }}',
  lifetime: DEFAULT_AUTH_SETTINGS.mailedTokenLifetime,
  newEmail: '{{ .NewEmail }}',
};

/** A reset leads to the product's own page at once where that asked for it, an invitation where it names no page: as our own mails do. */
const RESET_LINK =
  '{{ if eq .RedirectTo (printf `%s/change-password?by=token` .SiteURL) }}{{ .RedirectTo }}&token_hash={{ .TokenHash }}&type=recovery{{ else }}{{ .ConfirmationURL }}{{ end }}';
const INVITE_LINK =
  '{{ if eq .RedirectTo .SiteURL (printf `%s/` .SiteURL) }}{{ .SiteURL }}/change-password?by=token&token_hash={{ .TokenHash }}&type=invite{{ else }}{{ .ConfirmationURL }}{{ end }}';

type HostedTemplate = Pick<RenderedMail, 'subject' | 'html'>;

/** Our own mails as the platform's templates: their files are in `supabase/templates`. */
export function writeHostedTemplates(): Readonly<Record<HostedMail, HostedTemplate>> {
  return {
    confirmation: render('confirm_sign_up'),
    magic_link: render('magic_link'),
    recovery: render('reset_password', RESET_LINK),
    invite: render('invite', INVITE_LINK),
    email_change: renderEmailChange(),
    reauthentication: render('reauthenticate'),
  };
}

function render(kind: MailTemplate, link = FACTS.link): HostedTemplate {
  return renderMail(fillTemplate(kind, { ...FACTS, link }));
}

/** The platform has one template for both mails about a change of address. */
function renderEmailChange(): HostedTemplate {
  const [current, next] = [render('email_change_current'), render('email_change_new')];
  return {
    subject: current.subject,
    html: `{{ if eq .SendingTo .NewEmail }}${next.html}{{ else }}${current.html}{{ end }}\n`,
  };
}
