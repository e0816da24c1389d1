import type { NoticeKind } from '../settings.ts';
import { type Environment, given, readPath, type Table, variableOf } from './read-key.ts';

/** What the platform mails about after it has happened. */
export const NOTICE_KINDS: readonly NoticeKind[] = [
  'password_changed',
  'email_changed',
  'phone_changed',
  'identity_linked',
  'identity_unlinked',
  'mfa_factor_enrolled',
  'mfa_factor_unenrolled',
];

/** Which of these mails are on: `[auth.email.notification.NAME]`, GoTrue's variables over the file and those of the platform's command line over both. */
export function readNotices(
  file: Table,
  environment: Environment,
): { readonly notices: readonly NoticeKind[]; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const notices = NOTICE_KINDS.filter((name) => {
    const path = `auth.email.notification.${name}.enabled`;
    const gotrue = `GOTRUE_MAILER_NOTIFICATIONS_${name.toUpperCase()}_ENABLED`;
    const sources = [
      { source: variableOf(path), text: given(environment, variableOf(path)) },
      { source: gotrue, text: given(environment, gotrue) },
      { source: path, text: readPath(file, path, environment) },
    ];
    for (const { source, text } of sources)
      if (text !== undefined && text !== 'true' && text !== 'false')
        faults.push(`${source} deve ser true ou false`);
    return sources.find(({ text }) => text !== undefined)?.text === 'true';
  });
  return { notices, faults };
}
