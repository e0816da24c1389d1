import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type App, addApp, answerApp, codeOf } from '../test-support/authenticator-app.ts';
import { call } from '../test-support/call-service.ts';
import { createPerson, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

const PATH = '/factors/reset';
const WAIT = 3 * 86_400;
const NOT_READY = { status: 422, body: { code: 'mfa_reset_not_ready' } };

let service: TestService;
let email: string;
let id: string;
let app: App;
/** Who knows the password, and has no factor at hand. */
let tokens: Tokens;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.hold();
  service.clock.advance(90);
  service.mails.length = 0;
  ({ email, id } = await createPerson(service));
  ({ app } = await addApp(service, await signIn(service, email)));
  service.clock.advance(30);
  tokens = await signIn(service, email);
});

const ask = (line: string, { access_token: token }: Pick<Tokens, 'access_token'> = tokens, body?: object) =>
  call(service, line, { token, body });
const mailsTo = (to: string) => service.mails.filter((mail) => mail.to === to);
const countFactors = async () =>
  (await service.admin.query('select from auth.mfa_factors where user_id = $1', [id])).rowCount;
/** A fresh session of the first level, and the code that is mailed to it. */
async function comeBack(): Promise<{ readonly back: Tokens; readonly nonce: string }> {
  const back = await signIn(service, email);
  expect((await ask('GET /reauthenticate', back)).status).toBe(200);
  const nonce = /\b\d{6}\b/.exec(mailsTo(email).at(-1)?.subject ?? '')?.[0] ?? '';
  return { back, nonce };
}

describe('whoever has lost every factor', () => {
  it('waits three days, is told by mail, and takes them away with a mailed code', async () => {
    expect((await ask(`GET ${PATH}`)).body).toEqual({ status: 'none' });
    const readyAt = new Date(service.clock.now().getTime() + WAIT * 1000).toISOString();
    expect(await ask(`POST ${PATH}`)).toMatchObject({
      status: 200,
      body: { status: 'waiting', ready_at: readyAt },
    });
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual([
      'Pediram para desligar sua verificação em duas etapas',
    ]);
    expect(mailsTo(email)[0]?.text).toContain('3 dias');

    service.clock.advance(WAIT - 60);
    const early = await comeBack();
    expect(await ask(`POST ${PATH}/finish`, early.back, { nonce: early.nonce })).toMatchObject(NOT_READY);
    service.clock.advance(60);
    expect((await ask(`GET ${PATH}`, early.back)).body).toEqual({ status: 'ready', ready_at: readyAt });
    const { back, nonce } = await comeBack();
    expect(await ask(`POST ${PATH}/finish`, back, { nonce })).toMatchObject({ status: 200, body: {} });
    expect(mailsTo(email).at(-1)?.subject).toBe('Sua verificação em duas etapas foi desligada');
    expect(await countFactors()).toBe(0);
    const renewed = await call(service, 'POST /token?grant_type=refresh_token', {
      body: { refresh_token: back.refresh_token },
    });
    expect((renewed.body as Tokens).user).not.toHaveProperty('factors');
    expect(decodeJwt((renewed.body as Tokens).access_token)).toMatchObject({ aal: 'aal1' });
    expect(await ask(`POST ${PATH}`, back)).toMatchObject({
      status: 404,
      body: { code: 'mfa_factor_not_found' },
    });
  });

  it('who asks again waits no longer, and no second mail is sent', async () => {
    const first = await ask(`POST ${PATH}`);
    service.clock.advance(3600);
    expect((await ask(`POST ${PATH}`, await signIn(service, email))).body).toEqual(first.body);
    expect(mailsTo(email)).toHaveLength(1);
  });

  it('asks anew when a week has passed in which it could be finished', async () => {
    await ask(`POST ${PATH}`);
    service.clock.advance(WAIT + 7 * 86_400 + 1);
    const { back, nonce } = await comeBack();
    expect((await ask(`GET ${PATH}`, back)).body).toEqual({ status: 'none' });
    expect(await ask(`POST ${PATH}/finish`, back, { nonce })).toMatchObject(NOT_READY);
    expect((await ask(`POST ${PATH}`, back)).body).toMatchObject({ status: 'waiting' });
  });

  it('may think better of it', async () => {
    await ask(`POST ${PATH}`);
    expect((await ask(`DELETE ${PATH}`)).body).toEqual({ status: 'none' });
    service.clock.advance(WAIT);
    const { back, nonce } = await comeBack();
    expect(await ask(`POST ${PATH}/finish`, back, { nonce })).toMatchObject(NOT_READY);
  });
});

describe('a thief who knows the password', () => {
  it('gets nowhere once its owner proves a factor, by an app or otherwise', async () => {
    await ask(`POST ${PATH}`);
    expect((await answerApp(service, await signIn(service, email), app, codeOf(service, app))).status).toBe(
      200,
    );
    service.clock.advance(WAIT);
    const { back, nonce } = await comeBack();
    expect(await ask(`POST ${PATH}/finish`, back, { nonce })).toMatchObject(NOT_READY);
    expect(await countFactors()).toBe(1);
  });

  it('gets nowhere without the mailbox, by none, a wrong or a guessed code, nor with somebody else’s', async () => {
    await ask(`POST ${PATH}`);
    service.clock.advance(WAIT);
    const thief = await signIn(service, email);
    expect(await ask(`POST ${PATH}/finish`, thief, {})).toMatchObject({
      status: 400,
      body: { code: 'reauthentication_needed' },
    });
    const other = await createPerson(service);
    const stranger = await signIn(service, other.email);
    await ask('GET /reauthenticate', stranger);
    const foreign = /\b\d{6}\b/.exec(mailsTo(other.email).at(-1)?.subject ?? '')?.[0] ?? '';
    const { nonce } = await comeBack();
    const wrong = nonce === '000000' ? '111111' : '000000';
    for (const guess of [foreign === nonce ? wrong : foreign, wrong, wrong, wrong, wrong])
      expect(await ask(`POST ${PATH}/finish`, thief, { nonce: guess })).toMatchObject({
        status: 422,
        body: { code: 'reauthentication_not_valid' },
      });
    // Five attempts were all: the right one comes too late.
    expect(await ask(`POST ${PATH}/finish`, thief, { nonce })).toMatchObject({ status: 422 });
    expect(await countFactors()).toBe(1);
  });

  it('does not begin a wait that nobody is told of', async () => {
    service.setMailer(() => Promise.reject(new Error('the mail server is away')));
    expect(await ask(`POST ${PATH}`)).toMatchObject({ status: 422, body: { code: 'email_send_failed' } });
    service.setMailer(async (mail) => {
      service.mails.push(mail);
    });
    expect((await ask(`GET ${PATH}`)).body).toEqual({ status: 'none' });
    service.failures.length = 0;
  });
});

describe('a stranger', () => {
  it('asks, cancels and finishes for nobody but themselves', async () => {
    await ask(`POST ${PATH}`);
    const other = await createPerson(service);
    const stranger = await signIn(service, other.email);
    expect(await ask(`POST ${PATH}`, stranger)).toMatchObject({ body: { code: 'mfa_factor_not_found' } });
    expect((await ask(`DELETE ${PATH}`, stranger)).status).toBe(200);
    expect((await ask(`GET ${PATH}`)).body).toMatchObject({ status: 'waiting' });
    service.clock.advance(WAIT);
    const later = await signIn(service, other.email);
    expect(await ask(`POST ${PATH}/finish`, later, { nonce: '123456' })).toMatchObject({
      body: { code: 'mfa_factor_not_found' },
    });
    expect(await countFactors()).toBe(1);
  });

  it.each(['GET', 'POST', 'DELETE'])('and a visitor are refused: %s', async (method) => {
    expect(await call(service, `${method} ${PATH}`)).toMatchObject({ status: 401 });
    expect(await call(service, `POST ${PATH}/finish`, { body: { nonce: '1' } })).toMatchObject({
      status: 401,
    });
  });
});

it('where mails are sent by a hook, which knows none of this, it is not offered', async () => {
  const hook = { kind: 'function', schema: 'public', name: 'none' } as const;
  const hooked = await startAuthService({ settings: { hooks: { send_email: hook } } });
  try {
    const person = await createPerson(hooked);
    const { tokens: raised } = await addApp(hooked, await signIn(hooked, person.email));
    const { access_token: token } = raised;
    expect(await call(hooked, `POST ${PATH}`, { token })).toMatchObject({
      body: { code: 'email_send_failed' },
    });
  } finally {
    await hooked.stop();
  }
});
