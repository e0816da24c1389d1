import { readFileSync } from 'node:fs';
import { renderMail } from '@linkoteca/domain/mail-templates';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { fillTemplate, type MailTemplate } from './mail-templates.ts';

const REPOSITORY = new URL('../../../../..', import.meta.url);

/** What the hosted platform fills in (supabase/auth, `templatemailer`). */
const FACTS = {
  link: '{{ .ConfirmationURL }}',
  code: '{{ .Token }}',
  lifetime: DEFAULT_AUTH_SETTINGS.mailedTokenLifetime,
  newEmail: '{{ .NewEmail }}',
};

/** A reset leads to the product's own page at once, where that asked for it: as our own mails do. */
const RESET_LINK =
  '{{ if eq .RedirectTo (printf `%s/change-password?by=token` .SiteURL) }}{{ .RedirectTo }}&token_hash={{ .TokenHash }}&type=recovery{{ else }}{{ .ConfirmationURL }}{{ end }}';

const render = (kind: MailTemplate, link = FACTS.link) => renderMail(fillTemplate(kind, { ...FACTS, link }));

/** The platform has one template for both mails about a change of address. */
function renderEmailChange() {
  const [current, next] = [render('email_change_current'), render('email_change_new')];
  return {
    subject: current.subject,
    html: `{{ if eq .SendingTo .NewEmail }}${next.html}{{ else }}${current.html}{{ end }}\n`,
  };
}

const TEMPLATES = {
  confirmation: render('confirm_sign_up'),
  magic_link: render('magic_link'),
  recovery: render('reset_password', RESET_LINK),
  invite: render('invite'),
  email_change: renderEmailChange(),
  reauthentication: render('reauthenticate'),
};

type Config = {
  auth: { email: { template: Record<string, { subject: string; content_path: string }> } } & Record<
    string,
    unknown
  >;
};
const { auth } = parse(readFileSync(new URL('supabase/config.toml', REPOSITORY), 'utf8')) as Config;
const { template, ...email } = auth.email;

describe('on the hosted platform', () => {
  it('has all its templates named', () => {
    expect(Object.keys(template).toSorted()).toEqual(Object.keys(TEMPLATES).toSorted());
  });

  // `npx vitest run -u` with this file writes them anew.
  it.each(Object.entries(TEMPLATES))('the mail %s reads as ours does', async (name, { subject, html }) => {
    expect(template[name]?.subject).toBe(subject);
    const place = new URL(template[name]?.content_path ?? '', REPOSITORY);
    await expect(html).toMatchFileSnapshot(place.pathname);
  });

  it('people sign in under the same terms', () => {
    const settings = DEFAULT_AUTH_SETTINGS;
    expect(auth).toMatchObject({
      jwt_expiry: settings.accessTokenLifetime,
      refresh_token_reuse_interval: settings.refreshReuseInterval,
      enable_signup: settings.signUpEnabled,
      minimum_password_length: settings.passwordMinLength,
      enable_anonymous_sign_ins: settings.anonymousSignInsEnabled,
    });
    expect(email).toMatchObject({
      enable_confirmations: settings.confirmEmail,
      double_confirm_changes: settings.secureEmailChange,
      max_frequency: `${settings.mailFrequency}s`,
      otp_expiry: settings.mailedTokenLifetime,
      otp_length: settings.codeLength,
    });
  });
});
