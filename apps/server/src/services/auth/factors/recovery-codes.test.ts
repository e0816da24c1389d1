import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type App, addApp, answerApp, codeOf } from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import { createPerson, endSessionsDuring, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

const PATH = '/factors/recovery-codes';
const WRONG = {
  status: 422,
  body: { code: 'mfa_verification_failed', message: 'Invalid recovery code entered' },
};

let service: TestService;
let email: string;
let id: string;
let app: App;
/** In a session of the second level. */
let owner: Tokens;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.hold();
  service.clock.advance(90);
  ({ email, id } = await createPerson(service));
  ({ app, tokens: owner } = await addApp(service, await signIn(service, email), 'Celular'));
  service.clock.advance(1);
});

const ask = (line: string, { access_token: token }: Pick<Tokens, 'access_token'>, body?: object) =>
  call(service, line, { token, body });
type CodeSet = { readonly id: string; readonly codes: readonly string[] };
async function generate(tokens = owner): Promise<CodeSet> {
  const reply = await ask(`POST ${PATH}`, tokens);
  expect(reply.status).toBe(200);
  return reply.body as CodeSet;
}
const verify = (tokens: Pick<Tokens, 'access_token'>, code: string | undefined) =>
  ask(`POST ${PATH}/verify`, tokens, { code });

describe('a set of recovery codes', () => {
  it.each([
    ['is not made', false, `POST ${PATH}`],
    ['is not made anew', true, `POST ${PATH}/regenerate`],
    ['is not removed', true, `DELETE ${PATH}`],
  ])('%s by a session that ends while it is under way', async (_what, isThere, line) => {
    if (isThere) await generate();
    const listCodes = async () => {
      const { rows } = await service.admin.query(
        `select c.code_hash from auth.mfa_recovery_codes c join auth.mfa_factors f on f.id = c.factor_id
         where f.user_id = $1 order by c.code_hash`,
        [id],
      );
      return rows;
    };
    const before = await listCodes();
    const late = await endSessionsDuring(service, id, () => ask(line, owner));
    expect(late).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    expect(await listCodes()).toEqual(before);
  });

  it('is ten different ones, shown once and kept as hashes', async () => {
    const { body } = await ask(`POST ${PATH}`, owner, { friendly_name: 'Gaveta' });
    const { codes } = body as CodeSet;
    const shape = { id: expect.any(String), type: 'recovery_code', friendly_name: 'Gaveta', total: 10 };
    expect(body).toEqual({ ...shape, codes: expect.any(Array) });
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
    const status = await ask(`GET ${PATH}`, owner);
    expect(status.body).toEqual({
      id: (body as CodeSet).id,
      type: 'recovery_code',
      total: 10,
      remaining: 10,
    });
    const { rows } = await service.admin.query('select * from auth.mfa_recovery_codes');
    const kept = JSON.stringify(rows);
    for (const code of codes) expect(kept).not.toContain(code);
    expect((await ask('GET /user', owner)).body).toMatchObject({
      factors: [
        { factor_type: 'totp' },
        { factor_type: 'recovery_code', status: 'verified', friendly_name: 'Gaveta' },
      ],
    });
  });

  it('is there once; another one takes its place, and its codes are good for nothing', async () => {
    const first = await generate();
    expect(await ask(`POST ${PATH}`, owner)).toMatchObject({
      status: 422,
      body: { code: 'mfa_verified_factor_exists' },
    });
    const second = (await ask(`POST ${PATH}/regenerate`, owner)).body as CodeSet;
    expect(second).toMatchObject({
      id: first.id,
      type: 'recovery_code',
      friendly_name: 'Recovery codes',
      total: 10,
    });
    expect(second.codes.some((code) => first.codes.includes(code))).toBe(false);
    const tokens = await signIn(service, email);
    expect(await verify(tokens, first.codes[0])).toMatchObject(WRONG);
    expect((await verify(tokens, second.codes[0])).status).toBe(200);
  });

  it('stands beside another factor, never alone', async () => {
    const other = await createPerson(service);
    const tokens = await signIn(service, other.email);
    expect(await ask(`POST ${PATH}`, tokens)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_aal' },
    });
    await service.admin.query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [other.id]);
    expect(await ask(`POST ${PATH}`, tokens)).toMatchObject({
      status: 422,
      body: { code: 'mfa_recovery_codes_sole_factor' },
    });
    await generate();
    expect(await ask(`DELETE /factors/${app.factorId}`, owner)).toMatchObject({
      status: 422,
      body: { code: 'mfa_recovery_codes_sole_factor' },
    });
    const second = await addApp(service, owner, 'B');
    expect((await ask(`DELETE /factors/${app.factorId}`, second.tokens)).status).toBe(200);
  });

  it('is removed by its own path, and then the last app may go', async () => {
    const { id: factorId } = await generate();
    expect(await ask(`DELETE /factors/${factorId}`, owner)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });
    expect(await ask(`POST /factors/${factorId}/challenge`, owner)).toMatchObject({ status: 400 });
    expect(await ask(`DELETE ${PATH}`, owner)).toMatchObject({ status: 200, body: { id: factorId } });
    expect(await ask(`GET ${PATH}`, owner)).toMatchObject({
      status: 404,
      body: { code: 'mfa_factor_not_found' },
    });
    expect((await ask(`DELETE /factors/${app.factorId}`, owner)).status).toBe(200);
  });

  it('goes with the last app that an operator takes away', async () => {
    await generate();
    await call(service, `DELETE /admin/users/${id}/factors/${app.factorId}`, {
      token: service.keyring.serviceRoleKey,
    });
    const { rows } = await service.admin.query('select from auth.mfa_factors where user_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('a recovery code', () => {
  it('makes the session one of the second level, however it is typed, and ends those below', async () => {
    const { codes } = await generate();
    const [pending, tokens] = [await signIn(service, email), await signIn(service, email)];
    service.clock.advance(1);
    const typed = ` ${codes[0]
      ?.toUpperCase()
      .replace(/(.{4})/g, '$1-')
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')} `;
    const reply = await verify(tokens, typed);
    expect(reply.status).toBe(200);
    expect(decodeJwt((reply.body as Tokens).access_token)).toMatchObject({
      aal: 'aal2',
      session_id: decodeJwt(tokens.access_token)['session_id'],
      amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
    });
    expect((await ask('GET /user', pending)).status).toBe(403);
    expect((await ask('GET /user', owner)).status).toBe(200);
    expect((await ask(`GET ${PATH}`, owner)).body).toMatchObject({ total: 10, remaining: 9 });
  });

  it('is good once, also twice at the same moment', async () => {
    const { codes } = await generate();
    const [first, second] = [await signIn(service, email), await signIn(service, email)];
    const replies = await Promise.all([first, second].map((tokens) => verify(tokens, codes[0])));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const later = await signIn(service, email);
    expect(await verify(later, codes[0])).toMatchObject(WRONG);
    expect((await verify(later, codes[1])).status).toBe(200);
  });

  it('of somebody else is none', async () => {
    const { codes } = await generate();
    const other = await createPerson(service);
    const { tokens } = await addApp(service, await signIn(service, other.email));
    await generate(tokens);
    expect(await verify(await signIn(service, other.email), codes[0])).toMatchObject(WRONG);
    expect((await verify(await signIn(service, email), codes[0])).status).toBe(200);
  });

  it('is guessed at five times in five minutes, apart from the codes of apps', async () => {
    const { codes } = await generate();
    const tokens = await signIn(service, email);
    const replies = await Promise.all(Array.from({ length: 12 }, () => verify(tokens, '0000000000000000')));
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(await verify(tokens, codes[0])).toMatchObject({
      status: 429,
      body: { code: 'mfa_recovery_codes_locked' },
    });
    service.clock.advance(30);
    expect((await answerApp(service, tokens, app, codeOf(service, app))).status).toBe(200);
  });

  it('raises nothing where there are none, and says no more than of a wrong one', async () => {
    expect(await verify(await signIn(service, email), '0000000000000000')).toMatchObject(WRONG);
    expect(await verify(await signIn(service, email), ' - ')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });

  it('of a set that was removed raises nothing, and its sessions are of the first level again', async () => {
    const { codes } = await generate();
    const raised = (await verify(await signIn(service, email), codes[0])).body as Tokens;
    await ask(`DELETE ${PATH}`, owner);
    expect((await ask(`POST ${PATH}`, raised)).body).toMatchObject({ code: 'insufficient_aal' });
    expect(await verify(await signIn(service, email), codes[1])).toMatchObject(WRONG);
  });
});

it('whoever has lost the app comes in by a code, removes codes and app, and is shut out at no moment', async () => {
  const { codes } = await generate();
  const raised = (await verify(await signIn(service, email), codes[0])).body as Tokens;
  expect((await ask(`DELETE ${PATH}`, raised)).status).toBe(200);
  expect((await ask(`DELETE /factors/${app.factorId}`, raised)).status).toBe(200);
  expect((await ask('GET /user', raised)).body).not.toHaveProperty('factors');
});

describe('whoever knows only the password', () => {
  it.each([
    ['POST', ''],
    ['POST', '/regenerate'],
    ['DELETE', ''],
  ])('does not get, replace or remove codes: %s %s', async (method, path) => {
    const { codes } = await generate();
    const thief = await signIn(service, email);
    expect(await ask(`${method} ${PATH}${path}`, thief)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_aal' },
    });
    expect((await verify(thief, codes[0])).status).toBe(200);
  });

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['POST', '/verify'],
    ['POST', '/regenerate'],
    ['DELETE', ''],
  ])('and a visitor are nobody: %s %s', async (method, path) => {
    expect(await call(service, `${method} ${PATH}${path}`, { body: {} })).toMatchObject({ status: 401 });
  });
});

it('where apps are switched off, codes are', async () => {
  const off = await startAuthService({ settings: { totpEnrollEnabled: false, totpVerifyEnabled: false } });
  try {
    const { access_token: token } = await signIn(off, (await createPerson(off)).email);
    for (const [path, code] of [
      ['', 'mfa_recovery_codes_enroll_not_enabled'],
      ['/regenerate', 'mfa_recovery_codes_enroll_not_enabled'],
      ['/verify', 'mfa_recovery_codes_verify_not_enabled'],
    ])
      expect(await call(off, `POST ${PATH}${path}`, { token, body: { code: 'x' } })).toMatchObject({
        status: 422,
        body: { code },
      });
  } finally {
    await off.stop();
  }
});
