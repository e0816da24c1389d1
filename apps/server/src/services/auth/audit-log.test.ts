import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_ACTS_A_DAY, recordAct } from './stores/audit-log.ts';
import { addApp, answerApp, codeOf, wrongCodeOf } from './test-support/authenticator-app.ts';
import { call } from './test-support/call-service.ts';
import { letIn, registerProgram } from './test-support/let-programs-in.ts';
import { addPasskey, signInByPasskey } from './test-support/passkeys.ts';
import { codeTextedTo, createPhonePerson, newPhone, signInByPhone } from './test-support/phones.ts';
import { createPerson, follow, linkMailedTo, newEmail, signIn } from './test-support/sign-people-in.ts';
import { PASSWORD, SITE_URL, startAuthService, type TestService } from './test-support/start-auth-service.ts';

const IP = '203.0.113.7';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService({
    settings: { anonymousSignInsEnabled: true, phoneEnabled: true, passkeysEnabled: true },
  });
});
afterAll(() => service.stop());

type Entry = {
  readonly payload: Readonly<Record<string, unknown>> & { readonly action: string };
  readonly ip_address: string;
};

async function readLog(): Promise<readonly Entry[]> {
  const { rows } = await service.admin.query<Entry>(
    // Of one moment in the order of the statements, which the place of a row does not tell.
    'select payload, ip_address from auth.audit_log_entries order by created_at, xmin::text::bigint, cmin::text::bigint',
  );
  return rows;
}

/** What the log tells of, of what an account did, or of what an operator did to it. */
async function actsOf(id: string): Promise<readonly Entry[]> {
  return (await readLog()).filter(
    ({ payload: { actor_id: actor, traits } }) =>
      actor === id || (traits as { user_id?: string } | undefined)?.user_id === id,
  );
}
const namesOf = (entries: readonly Entry[]) => entries.map(({ payload }) => payload.action);
const post = (line: string, body: object, token?: string) =>
  call(service, line, { body, ip: IP, ...(token ? { token } : {}) });
const asOperator = () => service.keyring.serviceRoleKey;
async function idOf(email: string): Promise<string> {
  const { rows } = await service.admin.query<{ id: string }>('select id from auth.users where email = $1', [
    email,
  ]);
  return rows[0]?.id ?? '';
}

/** Who does what; returns whose log it is. */
const SCENARIOS: readonly (readonly [
  name: string,
  play: () => Promise<string>,
  expected: readonly string[],
])[] = [
  [
    'a guest who signs up, follows the link and signs up once more',
    async () => {
      const email = newEmail();
      await post('POST /signup', { email, password: PASSWORD });
      await follow(service, linkMailedTo(service, email));
      await post('POST /signup', { email, password: PASSWORD });
      return idOf(email);
    },
    ['user_confirmation_requested', 'user_signedup', 'login', 'user_repeated_signup'],
  ],
  [
    'a guest without an address',
    async () => ((await post('POST /signup', {})).body as { user: { id: string } }).user.id,
    ['user_signedup', 'login'],
  ],
  [
    'a guest who signs up by phone',
    async () => {
      const phone = newPhone();
      await post('POST /signup', { phone, password: PASSWORD });
      const token = codeTextedTo(service, phone);
      const { body } = await post('POST /verify', { type: 'sms', phone, token });
      return (body as { user: { id: string } }).user.id;
    },
    ['user_confirmation_requested', 'user_signedup', 'login'],
  ],
  [
    'a guest who is sent a link and has no account, and asks again',
    async () => {
      const email = newEmail();
      await post('POST /otp', { email });
      await post('POST /resend', { type: 'signup', email });
      return idOf(email);
    },
    ['user_confirmation_requested', 'user_confirmation_requested'],
  ],
  [
    'somebody who has forgotten the password, and wants another',
    async () => {
      const { id, email } = await createPerson(service);
      await post('POST /recover', { email });
      await post('POST /otp', { email });
      const { access_token: token } = await signIn(service, email);
      await call(service, 'GET /reauthenticate', { token, ip: IP });
      await call(service, 'PUT /user', { token, body: { password: 'outra senha boa' }, ip: IP });
      await call(service, 'PUT /user', { token, body: { data: { name: 'Ana' } }, ip: IP });
      await call(service, 'POST /logout', { token, ip: IP });
      return id;
    },
    [
      'user_signedup',
      'user_recovery_requested',
      'user_recovery_requested',
      'login',
      'user_reauthenticate_requested',
      'user_updated_password',
      'user_modified',
      'logout',
    ],
  ],
  [
    'somebody with a phone who proves who they are again',
    async () => {
      const { id, phone } = await createPhonePerson(service);
      const { access_token: token } = await signInByPhone(service, phone);
      await call(service, 'GET /reauthenticate', { token, ip: IP });
      await post('POST /otp', { phone });
      return id;
    },
    ['user_signedup', 'login', 'user_reauthenticate_requested', 'user_recovery_requested'],
  ],
  [
    'somebody who lets a program in and takes that back, once',
    async () => {
      const client = await registerProgram(service);
      const { person, token } = await letIn(service, client);
      const end = `DELETE /user/oauth/grants?client_id=${client.client_id}`;
      const ended = [
        await call(service, end, { token, ip: IP }),
        await call(service, end, { token, ip: IP }),
      ];
      expect(ended.map(({ status }) => status)).toEqual([204, 404]);
      return person.id;
    },
    ['user_signedup', 'login', 'token_revoked'],
  ],
  [
    'somebody with an authenticator app, who mistypes, makes codes and gives them up again',
    async () => {
      const { id, email } = await createPerson(service);
      const first = await addApp(service, await signIn(service, email));
      const { access_token: token } = first.tokens;
      await answerApp(service, first.tokens, first.app, wrongCodeOf(service, first.app));
      await post('POST /factors/recovery-codes', {}, token);
      await post('POST /factors/recovery-codes/regenerate', {}, token);
      await post('POST /factors/recovery-codes/verify', { code: 'errado' }, token);
      await call(service, 'DELETE /factors/recovery-codes', { token, ip: IP });
      await call(service, `DELETE /factors/${first.app.factorId}`, { token, ip: IP });
      return id;
    },
    [
      ...['user_signedup', 'login', 'factor_in_progress', 'challenge_created', 'verification_attempted'],
      ...[
        'challenge_created',
        'verification_attempted',
        'generate_recovery_codes',
        'generate_recovery_codes',
      ],
      ...['verification_attempted', 'recovery_codes_deleted', 'factor_unenrolled'],
    ],
  ],
  [
    'somebody who has lost the app',
    async () => {
      const { id, email } = await createPerson(service);
      await addApp(service, await signIn(service, email));
      const { access_token: token } = await signIn(service, email);
      await post('POST /factors/reset', {}, token);
      return id;
    },
    [
      ...['user_signedup', 'login', 'factor_in_progress', 'challenge_created', 'verification_attempted'],
      ...['login', 'factor_reset_requested'],
    ],
  ],
  [
    'somebody with a passkey and a token of their own',
    async () => {
      const { id, email } = await createPerson(service);
      const tokens = await signIn(service, email);
      const passkey = await addPasskey(service, tokens);
      await signInByPasskey(service, passkey);
      await call(service, `DELETE /passkeys/${passkey.id}`, { token: tokens.access_token });
      const wish = { name: 'Script', scope: 'links:read', days: 30 };
      const { body } = await post('POST /user/tokens', wish, tokens.access_token);
      await call(service, `DELETE /user/tokens/${(body as { id: string }).id}`, {
        token: tokens.access_token,
      });
      return id;
    },
    [
      ...['user_signedup', 'login', 'passkey_created', 'login', 'passkey_deleted'],
      ...['personal_token_created', 'personal_token_revoked'],
    ],
  ],
  [
    'an operator who makes an account, changes it, makes a link into it and deletes it',
    async () => {
      const { id, email } = await createPerson(service);
      await call(service, `PUT /admin/users/${id}`, {
        token: asOperator(),
        body: { password: 'mais uma senha' },
      });
      await post('POST /admin/generate_link', { type: 'recovery', email }, asOperator());
      const { app } = await addApp(service, await signIn(service, email, 'mais uma senha'));
      await call(service, `DELETE /admin/users/${id}/factors/${app.factorId}`, { token: asOperator() });
      await call(service, `DELETE /admin/users/${id}`, { token: asOperator() });
      return id;
    },
    [
      ...['user_signedup', 'user_modified', 'user_recovery_requested', 'login', 'factor_in_progress'],
      ...['challenge_created', 'verification_attempted', 'factor_deleted', 'user_deleted'],
    ],
  ],
  [
    'an operator who invites, and the invited person',
    async () => {
      const email = newEmail();
      const query = new URLSearchParams({ redirect_to: `${SITE_URL}/bem-vinda` });
      await post(`POST /invite?${query}`, { email }, asOperator());
      await follow(service, linkMailedTo(service, email));
      return idOf(email);
    },
    ['user_invited', 'invite_accepted', 'login'],
  ],
  [
    'somebody whose refresh token was stolen',
    async () => {
      const { id, email } = await createPerson(service);
      const { refresh_token: first } = await signIn(service, email);
      const refresh = (token: string) =>
        post('POST /token?grant_type=refresh_token', { refresh_token: token });
      const { body } = await refresh(first);
      await refresh((body as { refresh_token: string }).refresh_token);
      service.clock.advance(11);
      await refresh(first);
      return id;
    },
    ['user_signedup', 'login', 'token_revoked'],
  ],
  [
    'a stranger who only tries',
    async () => {
      const { id, email } = await createPerson(service);
      await post('POST /token?grant_type=password', { email, password: 'errada' });
      await post('POST /verify', { type: 'email', email, token: '000000' });
      await call(service, `DELETE /admin/users/${id}`, { token: service.keyring.anonKey });
      await call(service, 'POST /logout', { ip: IP });
      return id;
    },
    ['user_signedup'],
  ],
];

describe('the log', () => {
  it.each(SCENARIOS)('of %s', async (_name, play, expected) => {
    const id = await play();
    expect(id).not.toBe('');
    expect(namesOf(await actsOf(id))).toEqual(expected);
  });

  it('has the shape that the platform’s has, and says from where', async () => {
    const { id, email } = await createPerson(service);
    await post('POST /token?grant_type=password', { email, password: PASSWORD });
    const [made, login] = await actsOf(id);
    expect(made).toEqual({
      payload: {
        action: 'user_signedup',
        actor_id: '00000000-0000-0000-0000-000000000000',
        actor_username: 'service_role',
        actor_via_sso: false,
        log_type: 'team',
        traits: { user_id: id },
      },
      ip_address: '127.0.0.1',
    });
    expect(login).toEqual({
      payload: {
        action: 'login',
        actor_id: id,
        actor_username: '',
        actor_via_sso: false,
        log_type: 'account',
        traits: { provider: 'email', method: 'password' },
      },
      ip_address: IP,
    });
  });

  it('tells whether a second factor was right', async () => {
    const { id, email } = await createPerson(service);
    const { app, tokens } = await addApp(service, await signIn(service, email));
    await answerApp(service, tokens, app, wrongCodeOf(service, app));
    service.clock.advance(30);
    await answerApp(service, tokens, app, codeOf(service, app));
    const attempts = (await actsOf(id)).filter(({ payload }) => payload.action === 'verification_attempted');
    expect(attempts.map(({ payload }) => (payload['traits'] as { valid: boolean }).valid)).toEqual([
      ...[true, false, true],
    ]);
  });

  it('holds neither addresses, numbers, passwords nor tokens', async () => {
    const { email } = await createPerson(service);
    const { phone } = await createPhonePerson(service);
    const { access_token: token, refresh_token: refresh } = await signIn(service, email);
    await call(service, 'PUT /user', { token, body: { email: newEmail(), data: { name: 'Clara Nunes' } } });
    await post('POST /otp', { phone });
    const text = JSON.stringify(await readLog());
    for (const secret of [email, '@', phone, PASSWORD, token, refresh, 'Clara', codeTextedTo(service, phone)])
      expect(text).not.toContain(secret);
  });

  it('tells nothing of what was refused after it had begun', async () => {
    const { id, email } = await createPerson(service);
    const { access_token: token } = await signIn(service, email);
    const before = await actsOf(id);
    const { email: taken } = await createPerson(service);
    const refused = await call(service, `PUT /admin/users/${id}`, {
      token: asOperator(),
      body: { email: taken },
    });
    expect(refused.status).toBe(422);
    expect((await call(service, 'DELETE /factors/recovery-codes', { token })).status).toBe(403);
    expect(await actsOf(id)).toEqual(before);
  });

  it('is full of no act that somebody repeats, and still tells of others', async () => {
    const { id } = await createPerson(service);
    const write = async (action: 'logout' | 'user_updated_password', at: Date) => {
      const { rows } = await service.admin.query<{ count: number }>(
        `select count(*)::int from auth.audit_log_entries where payload ->> 'actor_id' = $1`,
        [id],
      );
      await recordAct(service.admin as never, { ip: IP }, { action, actor: id }, at);
      const after = await service.admin.query<{ count: number }>(
        `select count(*)::int from auth.audit_log_entries where payload ->> 'actor_id' = $1`,
        [id],
      );
      return (after.rows[0]?.count ?? 0) - (rows[0]?.count ?? 0);
    };
    const now = service.clock.now();
    for (let at = 0; at < MOST_ACTS_A_DAY; at += 1) expect(await write('logout', now)).toBe(1);
    expect(await write('logout', now)).toBe(0);
    expect(await write('user_updated_password', now)).toBe(1);
    expect(await write('logout', new Date(now.getTime() + 86_400_001))).toBe(1);
  });

  it.each(['anon', 'authenticated', 'service_role', 'authenticator'])(
    'is read by nobody as %s',
    async (role) => {
      const { rows } = await service.admin.query(
        `select has_table_privilege($1, 'auth.audit_log_entries', 'select,insert,update,delete') as may`,
        [role],
      );
      expect(rows).toEqual([{ may: false }]);
    },
  );
});
