import { decodeJwt } from 'jose/jwt/decode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Reply } from '../test-support/call-service.ts';
import { letIn, registerProgram } from '../test-support/let-programs-in.ts';
import { createPerson, endSessionsDuring, signIn } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());

type Made = { readonly id: string; readonly token: string; readonly expires_at: string };

async function signInNew(): Promise<string> {
  return (await signIn(service, (await createPerson(service)).email)).access_token;
}

function make(token: string, wish: object = {}): Promise<Reply> {
  const body = { name: 'Meu script', scope: 'links:read', days: 30, ...wish };
  return call(service, 'POST /user/tokens', { token, body });
}

const list = async (token: string) => (await call(service, 'GET /user/tokens', { token })).body;

describe('a token that a person makes', () => {
  it('is shown once, and kept as a hash', async () => {
    const token = await signInNew();
    const reply = await make(token, { scope: 'links:write links:read' });
    const made = reply.body as Made;
    expect(reply.status).toBe(201);
    expect(made).toMatchObject({
      name: 'Meu script',
      scopes: ['links:read', 'links:write'],
      last_used_at: null,
    });
    expect(made.token).toMatch(/^lk_pat_[\w-]{43}$/);
    const days = (Date.parse(made.expires_at) - service.clock.now().getTime()) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
    const { token: _shown, ...kept } = made;
    expect(await list(token)).toEqual([kept]);
    const { rows } = await service.admin.query<{ text: string }>(
      'select t::text || s::text as text from auth.personal_tokens t join auth.sessions s on s.id = t.session_id',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ text }) => text.includes(made.token.slice(7)))).toBe(false);
  });

  it.each([
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(101) },
    { scope: '' },
    { scope: 'openid' },
    { scope: 'links:read email' },
    { scope: 'tudo' },
    { days: 31 },
    { days: 0 },
    { days: 36_500 },
    { days: null },
    { days: '30' },
  ])('is made as it must be: not %j', async (wish) => {
    const token = await signInNew();
    expect((await make(token, wish)).status).toBe(400);
    expect(await list(token)).toEqual([]);
  });

  it('is not made by a session that ends while it is under way', async () => {
    const { id, email } = await createPerson(service);
    const { access_token: token } = await signIn(service, email);
    const late = await endSessionsDuring(service, id, () => make(token));
    expect(late).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
    expect(await list((await signIn(service, email)).access_token)).toEqual([]);
  });

  it('is one of twenty, also when they are made at once', async () => {
    const token = await signInNew();
    const replies = await Promise.all(Array.from({ length: 22 }, () => make(token)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(await make(token)).toMatchObject({ status: 422, body: { code: 'too_many_personal_tokens' } });
    expect(await list(token)).toHaveLength(20);
  });

  it('is ended by its owner, and by nobody else', async () => {
    const [token, stranger] = [await signInNew(), await signInNew()];
    const { id } = (await make(token)).body as Made;
    expect(await list(stranger)).toEqual([]);
    for (const path of [
      `/user/tokens/${id}`,
      '/user/tokens/x',
      `/user/tokens/${decodeJwt(token)['session_id']}`,
    ])
      expect((await call(service, `DELETE ${path}`, { token: stranger })).status).toBe(404);
    // A person's own sign-in is no token of theirs.
    const own = `DELETE /user/tokens/${decodeJwt(token)['session_id']}`;
    expect((await call(service, own, { token })).status).toBe(404);
    expect((await call(service, `DELETE /user/tokens/${id}`, { token })).status).toBe(204);
    expect(await list(token)).toEqual([]);
  });

  it('is no more once its time is over, nor after a changed password', async () => {
    const token = await signInNew();
    await make(token);
    expect(await list(token)).toHaveLength(1);
    await call(service, 'PUT /user', { token, body: { password: 'uma senha nova' } });
    expect(await list(token)).toEqual([]);
    await make(token);
    service.clock.hold();
    const { rows } = await service.admin.query<{ user_id: string }>(
      `update auth.sessions set not_after = $1 where id in (select session_id from auth.personal_tokens where user_id = $2)
       returning user_id`,
      [service.clock.now(), decodeJwt(token).sub],
    );
    expect(rows).toHaveLength(1);
    expect(await list(token)).toEqual([]);
    service.clock.release();
  });

  it('is nothing that a program makes, sees or ends', async () => {
    const client = await registerProgram(service);
    const given = await letIn(service, client, 'openid links:read links:write share');
    const { id } = (await make(given.token)).body as Made;
    const token = given.access_token;
    for (const reply of [
      await make(token),
      await call(service, 'GET /user/tokens', { token }),
      await call(service, `DELETE /user/tokens/${id}`, { token }),
    ])
      expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it('is nothing for visitors', async () => {
    for (const line of ['GET /user/tokens', 'POST /user/tokens', 'DELETE /user/tokens/x'])
      expect((await call(service, line, { body: {} })).status).toBe(401);
  });
});
