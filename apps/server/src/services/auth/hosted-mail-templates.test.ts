import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { writeHostedTemplates } from './hosted-mail-templates.ts';

const REPOSITORY = new URL('../../../../..', import.meta.url);

const TEMPLATES = writeHostedTemplates();

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
