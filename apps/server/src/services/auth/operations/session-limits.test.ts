import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { createPerson, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

const HOUR = 3600;
const EXPIRED = {
  status: 400,
  body: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired' },
};
const INACTIVE = {
  status: 400,
  body: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired (Inactivity)' },
};

let service: TestService;
let email: string;
beforeEach(async () => {
  ({ email } = await createPerson(service));
  service.clock.hold();
});

const refresh = ({ refresh_token }: Pick<Tokens, 'refresh_token'>) =>
  call(service, 'POST /token?grant_type=refresh_token', { body: { refresh_token } });
async function refreshed(tokens: Tokens): Promise<Tokens> {
  const reply = await refresh(tokens);
  expect(reply.status).toBe(200);
  return reply.body as Tokens;
}
const findEnd = async ({ access_token: token }: Tokens) => {
  const { rows } = await service.admin.query(
    'select not_after <= now() as over from auth.sessions where id = $1',
    [decodeJwt(token)['session_id']],
  );
  return rows[0]?.over;
};

describe('a session with a time box', () => {
  beforeAll(async () => {
    service = await startAuthService({
      settings: { sessionTimebox: 24 * HOUR, accessTokenLifetime: 48 * HOUR },
    });
  });
  afterAll(() => service.stop());

  it('is refreshed until its last moment, by two at once as well, and by nobody after it', async () => {
    const first = await signIn(service, email);
    service.clock.advance(24 * HOUR - 1);
    const last = await refreshed(first);
    service.clock.advance(1);
    const both = await Promise.all([refresh(last), refresh(last)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = both.map(({ body }) => (body as Tokens).refresh_token);
    expect(other).toBe(one);
    const newest = both[0]?.body as Tokens;

    service.clock.advance(0.001);
    expect(await Promise.all([refresh(newest), refresh(newest)])).toMatchObject([EXPIRED, EXPIRED]);
    expect(await findEnd(newest)).toBe(true);
    expect(await refresh(newest)).toMatchObject(EXPIRED);
    // An old token is told the same: it is no thief's for being late.
    expect(await refresh(first)).toMatchObject(EXPIRED);
  });

  it('is over for its access token, too, though that has not expired', async () => {
    const { access_token: token } = await signIn(service, email);
    service.clock.advance(24 * HOUR);
    expect((await call(service, 'GET /user', { token })).status).toBe(200);
    service.clock.advance(1);
    for (const line of ['GET /user', 'PUT /user', 'POST /logout'])
      expect(await call(service, line, { token, body: {} })).toMatchObject({
        status: 403,
        body: { code: 'session_not_found' },
      });
  });

  it('is another one after the next sign-in', async () => {
    const first = await signIn(service, email);
    service.clock.advance(25 * HOUR);
    const second = await signIn(service, email);
    await refreshed(second);
    expect(await refresh(first)).toMatchObject(EXPIRED);
    expect((await call(service, 'GET /user', { token: second.access_token })).status).toBe(200);
  });
});

describe('a session that is left alone', () => {
  beforeAll(async () => {
    service = await startAuthService({ settings: { sessionInactivityTimeout: 8 * HOUR } });
  });
  afterAll(() => service.stop());

  it('goes on for as long as it is refreshed in time, and ends otherwise', async () => {
    let tokens = await signIn(service, email);
    for (let day = 0; day < 5; day += 1) {
      service.clock.advance(8 * HOUR);
      tokens = await refreshed(tokens);
    }
    service.clock.advance(8 * HOUR + 0.001);
    expect(await refresh(tokens)).toMatchObject(INACTIVE);
    expect(await findEnd(tokens)).toBe(true);
  });

  it('does not keep another one of the same person from going on', async () => {
    const [left, used] = [await signIn(service, email), await signIn(service, email)];
    service.clock.advance(5 * HOUR);
    const later = await refreshed(used);
    service.clock.advance(5 * HOUR);
    expect(await refresh(left)).toMatchObject(INACTIVE);
    await refreshed(later);
  });
});

describe('a session without either', () => {
  beforeAll(async () => {
    service = await startAuthService();
  });
  afterAll(() => service.stop());

  it('has no end of its own', async () => {
    const tokens = await signIn(service, email);
    service.clock.advance(5 * 365 * 24 * HOUR);
    await refreshed(tokens);
  });
});
