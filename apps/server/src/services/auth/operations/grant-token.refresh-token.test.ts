import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, type Reply } from '../test-support/call-service.ts';
import { createPerson, signIn, type Tokens, waitForLocks } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());

function refresh(token: string): Promise<Reply> {
  return call(service, 'POST /token?grant_type=refresh_token', { body: { refresh_token: token } });
}

async function refreshed(token: string): Promise<Tokens> {
  const reply = await refresh(token);
  expect(reply.status).toBe(200);
  return reply.body as Tokens;
}

describe('a refresh token', () => {
  it('is exchanged for a new pair of the same session', async () => {
    const { email } = await createPerson(service);
    const first = await signIn(service, email);
    const second = await refreshed(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(decodeJwt(second.access_token)).toMatchObject({
      session_id: decodeJwt(first.access_token)['session_id'],
      amr: [{ method: 'password' }],
    });
    await refreshed(second.refresh_token);
  });

  it('says of the account and of the session what they are by now', async () => {
    const { id, email } = await createPerson(service);
    let { refresh_token: token } = await signIn(service, email);
    const claimsAfter = async (account: string, session: string) => {
      await service.admin.query(`update auth.users set ${account} where id = $1`, [id]);
      await service.admin.query(`update auth.sessions set ${session} where user_id = $1`, [id]);
      const next = await refreshed(token);
      token = next.refresh_token;
      return decodeJwt(next.access_token);
    };
    const changed = await claimsAfter(
      `aud = 'outra', role = 'papel', phone = '5511', raw_app_meta_data = '{"a":1}', raw_user_meta_data = '{"b":2}'`,
      `aal = 'aal2'`,
    );
    expect(changed).toMatchObject({
      ...{ aud: 'outra', role: 'papel', email, phone: '5511', aal: 'aal2' },
      ...{ app_metadata: { a: 1 }, user_metadata: { b: 2 } },
    });
    const emptied = await claimsAfter(
      'aud = null, role = null, email = null, phone = null, raw_app_meta_data = null, raw_user_meta_data = null',
      'aal = null',
    );
    expect(emptied).toMatchObject({
      ...{ aud: 'authenticated', role: 'authenticated', email: '', phone: '', aal: 'aal1' },
      ...{ app_metadata: {}, user_metadata: {} },
    });
  });

  it('answers the active token again to whoever presents its parent, however late', async () => {
    const { email } = await createPerson(service);
    const first = await signIn(service, email);
    const second = await refreshed(first.refresh_token);
    service.clock.advance(3600);
    expect((await refreshed(first.refresh_token)).refresh_token).toBe(second.refresh_token);
    await refreshed(second.refresh_token);
  });

  it('is given to both of two tabs that ask at once, as one', async () => {
    const { email } = await createPerson(service);
    const { refresh_token: token } = await signIn(service, email);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refreshed(token)));
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    await refreshed(answers[0]?.refresh_token ?? '');
  });

  it('waits while another copy of the server refreshes the same session; an access token does not', async () => {
    const { id, email } = await createPerson(service);
    const { access_token: token, refresh_token } = await signIn(service, email);
    const other = await service.admin.connect();
    await other.query('begin');
    await other.query('select from auth.sessions where user_id = $1 for update', [id]);
    expect((await call(service, 'GET /user', { token })).status).toBe(200);
    const asked = refresh(refresh_token);
    await waitForLocks(service, 1);
    await other.query('delete from auth.sessions where user_id = $1', [id]);
    await other.query('commit');
    other.release();
    expect(await asked).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
  });

  it('of two generations ago is honoured for ten seconds, for an answer that was lost', async () => {
    service.clock.hold();
    onTestFinished(() => service.clock.release());
    const { email } = await createPerson(service);
    const first = await signIn(service, email);
    const second = await refreshed(first.refresh_token);
    const third = await refreshed(second.refresh_token);
    const again = await refreshed(first.refresh_token);
    expect([second.refresh_token, third.refresh_token]).not.toContain(again.refresh_token);
  });

  it('of two generations ago is honoured up to the tenth second, and not a moment longer', async () => {
    service.clock.hold();
    onTestFinished(() => service.clock.release());
    const { email } = await createPerson(service);
    const [first, late] = [await signIn(service, email), await signIn(service, email)];
    for (const { refresh_token: token } of [first, late]) {
      const second = await refreshed(token);
      await refreshed(second.refresh_token);
    }
    service.clock.advance(10);
    expect((await refresh(first.refresh_token)).status).toBe(200);
    service.clock.advance(0.001);
    expect(await refresh(late.refresh_token)).toMatchObject({ body: { code: 'refresh_token_already_used' } });
  });

  it('of two generations ago ends the whole family when it comes late', async () => {
    const { email } = await createPerson(service);
    const first = await signIn(service, email);
    const second = await refreshed(first.refresh_token);
    const third = await refreshed(second.refresh_token);
    service.clock.advance(11);
    const stolen = await refresh(first.refresh_token);
    expect(stolen).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' },
    });
    for (const { refresh_token: token } of [first, second, third])
      expect(await refresh(token)).toMatchObject({
        status: 400,
        body: { code: 'refresh_token_already_used' },
      });
    // Nor is the last access token good for anything: policies ask for the session's end.
    expect(await call(service, 'GET /user', { token: third.access_token })).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
    const { rows } = await service.admin.query(
      'select from auth.sessions where user_id = $1 and (not_after is null or not_after > now())',
      [first.user.id],
    );
    expect(rows).toEqual([]);
  });

  it('that ends its family ends it also at a copy of the server whose clock is behind', async () => {
    const { email } = await createPerson(service);
    const first = await signIn(service, email);
    const second = await refreshed(first.refresh_token);
    const third = await refreshed(second.refresh_token);
    service.clock.advance(11);
    expect((await refresh(first.refresh_token)).status).toBe(400);
    const behind = (Date.now() - service.clock.now().getTime()) / 1000 - 60;
    service.clock.advance(behind);
    onTestFinished(() => service.clock.advance(-behind));
    expect(await call(service, 'GET /user', { token: third.access_token })).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    });
  });

  it.each([
    ['unknown', 'nunca-existiu'],
    ['full of SQL', "' or 1=1; drop table auth.users; --"],
    ['very long', 'x'.repeat(100_000)],
  ])('that is %s is not found', async (_name, token) => {
    expect(await refresh(token)).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_not_found', message: 'Invalid Refresh Token: Refresh Token Not Found' },
    });
  });

  it('that is missing is refused in the shape of OAuth', async () => {
    const reply = await call(service, 'POST /token?grant_type=refresh_token', { body: {} });
    expect(reply).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'refresh_token required' },
    });
  });

  it('ends with its session', async () => {
    const { email } = await createPerson(service);
    const session = await signIn(service, email);
    await call(service, 'POST /logout?scope=local', { token: session.access_token });
    expect(await refresh(session.refresh_token)).toMatchObject({ body: { code: 'refresh_token_not_found' } });
  });

  it('and the access token end at the very moment that was set for their session', async () => {
    service.clock.hold();
    onTestFinished(() => service.clock.release());
    const { id, email } = await createPerson(service);
    const { access_token: token, refresh_token } = await signIn(service, email);
    await service.admin.query('update auth.sessions set not_after = $2 where user_id = $1', [
      id,
      new Date(service.clock.now().getTime() + 60_000),
    ]);
    service.clock.advance(59.999);
    expect((await call(service, 'GET /user', { token })).status).toBe(200);
    const next = await refreshed(refresh_token);
    service.clock.advance(0.001);
    expect(await call(service, 'GET /user', { token })).toMatchObject({
      body: { code: 'session_not_found' },
    });
    expect(await refresh(next.refresh_token)).toMatchObject({ body: { code: 'session_expired' } });
  });

  it('does not outlive a ban, nor the end that was set for its session', async () => {
    const { id, email } = await createPerson(service);
    const session = await signIn(service, email);
    await service.admin.query(
      `update auth.sessions set not_after = now() - interval '1 day' where user_id = $1`,
      [id],
    );
    expect(await refresh(session.refresh_token)).toMatchObject({
      status: 400,
      body: { code: 'session_expired' },
    });
    await service.admin.query(
      `update auth.users set banned_until = now() + interval '10 days' where id = $1`,
      [id],
    );
    expect(await refresh(session.refresh_token)).toMatchObject({
      status: 400,
      body: { code: 'user_banned' },
    });
  });
});
