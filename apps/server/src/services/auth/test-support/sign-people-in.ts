import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { call, type Reply } from './call-service.ts';
import { PASSWORD, type TestService } from './start-auth-service.ts';

export type Tokens = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly expires_at: number;
  readonly token_type: string;
  readonly user: { readonly id: string; readonly email: string } & Record<string, unknown>;
};

export function newEmail(): string {
  return `${randomUUID()}@exemplo.test`;
}

/** Makes a confirmed account, past mails and limits. */
export async function createPerson(
  service: TestService,
  wish: { readonly email?: string; readonly password?: string } = {},
): Promise<{ readonly id: string; readonly email: string }> {
  const email = wish.email ?? newEmail();
  const created = await call(service, 'POST /admin/users', {
    token: service.keyring.serviceRoleKey,
    body: { email, password: wish.password ?? PASSWORD, email_confirm: true },
  });
  expect(created.status).toBe(200);
  return { id: (created.body as { id: string }).id, email };
}

export async function signIn(service: TestService, email: string, password = PASSWORD): Promise<Tokens> {
  const reply = await call(service, 'POST /token?grant_type=password', { body: { email, password } });
  expect(reply.body).toMatchObject({ token_type: 'bearer' });
  return reply.body as Tokens;
}

/** The answer shows an account that had never signed in as this sign-in has left it, not as it was found. */
export function expectJustSignedIn({ clock }: TestService, { body }: Reply): void {
  const at = Date.parse(String((body as Tokens).user['last_sign_in_at']));
  expect(Math.abs(at - clock.now().getTime())).toBeLessThan(60_000);
}

/** Until as many of the service's statements wait for a lock that somebody else holds. */
export async function waitForLocks({ admin }: TestService, count: number): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(count);
}

/** As when a refresh token that was used comes back: the sessions of a person stay as rows. */
export const END_FAMILIES = 'update auth.sessions set not_after = now() where user_id = $1';

/**
 * Signs a person out everywhere while something is under way, which waits for their account's lock; what it came to.
 * @param how ends the sessions of the person `$1`
 */
export async function endSessionsDuring<Result>(
  service: TestService,
  userId: string,
  begin: () => Promise<Result>,
  how = 'delete from auth.sessions where user_id = $1',
): Promise<Result> {
  const other = await service.admin.connect();
  await other.query('begin');
  await other.query('select from auth.users where id = $1 for update', [userId]);
  await other.query(how, [userId]);
  const late = begin();
  await waitForLocks(service, 1);
  await other.query('commit');
  other.release();
  return late;
}

/** The link of the newest mail to an address. */
export function linkMailedTo(service: TestService, email: string): URL {
  const mail = service.mails.findLast(({ to }) => to === email);
  const [link = ''] = /https?:\/\/\S+/.exec(mail?.text ?? '') ?? [];
  return new URL(link);
}

/** Opens a mailed link as a browser would, and answers where it leads. */
export async function follow(service: TestService, link: URL): Promise<URL> {
  const reply = await call(service, `GET ${link.pathname.replace('/auth/v1', '')}${link.search}`);
  expect(reply.status).toBe(303);
  return new URL(String(reply.headers['location']));
}

export function readFragment(url: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}
