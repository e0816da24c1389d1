import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Caller } from '../../../kernel/caller-context.ts';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
let socket: TestSocket;
/** Who was asked about, in order. */
let asked: Caller[];
/** What policies answer, by the person's id; whoever is not named may do everything. */
let reads: Record<string, { broadcast: boolean; presence: boolean }>;

beforeAll(async () => {
  server = await startRealtime();
  server.access.canRead = async (caller) => {
    asked.push(caller);
    return reads[String(caller.claims['sub'])] ?? { broadcast: true, presence: true };
  };
});
afterAll(() => server.app.close());
beforeEach(async () => {
  asked = [];
  reads = {};
  socket = await openSocket(server);
  return () => socket.close();
});

const inAnHour = () => Date.now() / 1000 + 3_600;
const sign = (claims: object) => server.keyring.signAccessToken({ ...claims });
const renew = (token: unknown, topic = 'realtime:a') =>
  socket.send(topic, 'access_token', { access_token: token });
const systemError = (message: string) => ({ extension: 'system', status: 'error', message, channel: 'a' });

describe('the token of a join', () => {
  test('is its own, else the key of the socket; the platform’s opaque keys count as none', async () => {
    const token = await server.signIn('maria');
    await socket.join('realtime:a', { private: true }, { access_token: token });
    await socket.join('realtime:b', { private: true });
    await socket.join('realtime:c', { private: true }, { access_token: 'sb_publishable_x' });
    await socket.join('realtime:d', { private: true }, { user_token: token });
    expect(asked.map(({ role, claims }) => [role, claims['sub']])).toEqual([
      ['authenticated', 'maria'],
      ['anon', undefined],
      ['anon', undefined],
      ['authenticated', 'maria'],
    ]);
    // One object a token, so that rights can be shared between its channels.
    expect(asked[0]).toBe(asked[3]);
  });

  test.each([
    ['no token at all', async () => 'x', 'MalformedJWT: The token provided is not a valid JWT'],
    [
      'an expired one',
      () => sign({ role: 'authenticated', exp: Date.now() / 1000 - 5 }),
      'InvalidJWTToken: Token has expired',
    ],
    [
      'one without a role',
      () => sign({ sub: 'x', exp: inAnHour() }),
      'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
    ],
    [
      'one without an end',
      () => sign({ sub: 'x', role: 'authenticated' }),
      'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
    ],
    [
      'one of a role that is not for clients',
      () => sign({ role: 'postgres', exp: inAnHour() }),
      'Unauthorized: The role of the token may not be used here',
    ],
    [
      'somebody else’s signature',
      async () => `${(await sign({ role: 'authenticated', exp: inAnHour() })).slice(0, -8)}AAAAAAAA`,
      'JwtSignatureError: Failed to validate JWT signature',
    ],
  ])('%s is refused', async (_name, make, reason) => {
    const reply = await socket.join('realtime:a', {}, { access_token: await make() });
    expect(reply.payload).toEqual({ status: 'error', response: { reason } });
  });
});

describe('a new token', () => {
  test('takes the old one’s place without a reply, and policies are asked anew', async () => {
    await socket.join('realtime:a', { private: true }, { access_token: await server.signIn('maria') });
    const ref = renew(await server.signIn('joana'));
    await socket.receivedEvents('x');
    expect(asked.map(({ claims }) => claims['sub'])).toEqual(['maria', 'joana']);
    expect(socket.received.some((message) => message.ref === ref)).toBe(false);
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
  });

  test('that is the same, empty, or the platform’s opaque key changes nothing', async () => {
    const token = await server.signIn('maria');
    await socket.join('realtime:a', { private: true }, { access_token: token });
    for (const given of [token, null, undefined, '', 7, 'sb_secret_x']) renew(given);
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test('that does not hold ends the channel with a word why', async () => {
    await socket.join('realtime:a', {}, { access_token: await server.signIn('maria') });
    renew('not a token');
    expect((await socket.event('system')).payload).toEqual(
      systemError('The token provided is not a valid JWT'),
    );
    expect(await socket.event('phx_close')).toMatchObject({ topic: 'realtime:a' });
    expect((await socket.reply(socket.send('realtime:a', 'broadcast', { event: 'x' }))).payload.status).toBe(
      'error',
    );
  });

  test('whose policies nobody can say ends a private channel so that the client joins again by itself', async () => {
    await socket.join('realtime:a', { private: true }, { access_token: await server.signIn('maria') });
    vi.spyOn(server.access, 'canRead').mockRejectedValueOnce(new Error('the database is away'));
    renew(await server.signIn('joana'));
    expect((await socket.event('system')).payload).toEqual(
      systemError('Realtime was unable to connect to the project database'),
    );
    expect(await socket.event('phx_error')).toMatchObject({ topic: 'realtime:a' });
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
  });

  test.each([
    [
      'nothing any more',
      { broadcast: false, presence: false },
      'You do not have permissions to read from this Channel topic: a',
    ],
    [
      'less than before',
      { broadcast: true, presence: false },
      'You no longer have permission to read from this Channel topic: a',
    ],
  ])('of somebody who may hear %s ends a private channel', async (_name, allowed, message) => {
    reads['joana'] = allowed;
    await socket.join('realtime:a', { private: true }, { access_token: await server.signIn('maria') });
    renew(await server.signIn('joana'));
    expect((await socket.event('system')).payload).toEqual(systemError(message));
    await socket.event('phx_close');
  });
});

describe('the end of a token', () => {
  /** However long joining takes, no token ends before this is moved on. */
  let at: number;
  beforeEach(async () => {
    at = Date.now();
    const timed = await startRealtime({ now: () => new Date(at) });
    const joined = server;
    [server, socket] = [timed, await openSocket(timed)];
    return async () => {
      server = joined;
      await timed.app.close();
    };
  });

  test('ends its channels at that moment, and no others', async () => {
    await socket.join('realtime:a', {}, { access_token: await server.signIn('maria', 0.3) });
    await socket.join('realtime:b', {}, { access_token: await server.signIn('joana', 60) });
    await sleep(400);
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
    at += 300;
    const closed = await socket.event('phx_close');
    expect(closed.topic).toBe('realtime:a');
    expect((await socket.event('system')).payload).toEqual(systemError('Token has expired'));
    expect(await socket.receivedEvents('phx_close')).toHaveLength(1);
  });

  test('does not come when it was renewed before', async () => {
    await socket.join('realtime:a', {}, { access_token: await server.signIn('maria', 0.3) });
    renew(await server.signIn('maria', 60));
    await socket.receivedEvents('phx_reply');
    at += 300;
    // The service's timer is of this process, too, and set for sooner.
    await sleep(700);
    expect(await socket.receivedEvents('system')).toEqual([]);
    expect(await socket.receivedEvents('phx_close')).toEqual([]);
  });
});
