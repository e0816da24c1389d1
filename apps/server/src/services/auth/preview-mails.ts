import { randomUUID } from 'node:crypto';
import { NOTICE_KINDS } from '../../kernel/auth-config/read-notices.ts';
import type { Mail } from '../../kernel/mail.ts';
import type { AuthSettings } from './auth-settings.ts';
import { draftUser } from './draft-user.ts';
import { composeMail } from './mail-templates.ts';
import { composeAddressTaken, composeTokenMail, type TokenMail } from './mail-token.ts';
import { composeNotice } from './notices/notice-mails.ts';

const TO = 'ana@exemplo.com.br';
const NEW = 'ana.nova@exemplo.com.br';
const EXAMPLE = {
  to: TO,
  email: NEW,
  oldEmail: TO,
  phone: '5511999990000',
  oldPhone: '5511999991111',
  provider: 'google',
  factorType: 'totp',
};

/** Every mail of the service as this installation writes it, by name: with links that lead nowhere and a code that opens nothing. */
export function previewAuthMails(settings: AuthSettings, now: Date): Readonly<Record<string, Mail>> {
  const token = { code: '0123456789'.slice(0, settings.codeLength), tokenHash: 'exemplo' };
  const user = draftUser(randomUUID(), { email: TO, data: { name: 'Ana Souza' } }, now);
  const more = { token, redirectTo: settings.siteUrl, user };
  const compose = (mail: Pick<TokenMail, 'template' | 'link'> & Partial<TokenMail>) =>
    composeTokenMail(settings, { to: TO, ...more, ...mail });
  const notice = (template: 'factor_reset_asked' | 'factors_removed') =>
    composeMail(
      template,
      { link: `${settings.siteUrl}/login`, code: '', lifetime: settings.factorResetWait },
      TO,
    );
  const change = { link: 'email_change', newEmail: NEW } as const;
  return {
    confirmation: compose({ template: 'confirm_sign_up', link: 'signup' }),
    magic_link: compose({ template: 'magic_link', link: 'magiclink' }),
    recovery: compose({ template: 'reset_password', link: 'recovery' }),
    invite: compose({ template: 'invite', link: 'invite' }),
    email_change_current: compose({ ...change, template: 'email_change_current' }),
    email_change_new: compose({ ...change, template: 'email_change_new', to: NEW }),
    reauthentication: compose({ template: 'reauthenticate', link: 'magiclink' }),
    address_taken: composeAddressTaken(settings, TO),
    ...Object.fromEntries(
      NOTICE_KINDS.map((kind) => {
        const name = `${kind}_notification`;
        return [name, composeNotice(settings, kind, settings.mailOverrides[name] ?? {}, EXAMPLE)];
      }),
    ),
    factor_reset_asked: notice('factor_reset_asked'),
    factors_removed: notice('factors_removed'),
  };
}
