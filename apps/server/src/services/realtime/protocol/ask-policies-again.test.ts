import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

const TOPIC = 'realtime:category:1';
const ALL = { broadcast: true, presence: true };
const NOTHING = { broadcast: false, presence: false };

let server: StartedRealtime;
let ana: TestSocket;
let bia: TestSocket;
/** Whose policies were asked for reading, in order. */
let asked: unknown[];
/** The same for writing. */
let showsAsked: unknown[];
/** What policies let somebody receive, and whether they let them show themselves; whoever is not named may do everything. */
let reads: Record<string, () => Promise<{ broadcast: boolean; presence: boolean }>>;
let shows: Record<string, boolean | Promise<boolean>>;

beforeAll(async () => {
  server = await startRealtime();
  server.access.canRead = async ({ claims }) => {
    asked.push(claims['sub']);
    return reads[String(claims['sub'])]?.() ?? ALL;
  };
  server.access.canWrite = async ({ claims }) => {
    showsAsked.push(claims['sub']);
    return shows[String(claims['sub'])] ?? true;
  };
});
afterAll(() => server.app.close());
beforeEach(async () => {
  asked = [];
  showsAsked = [];
  reads = {};
  shows = {};
  ana = await openSocket(server);
  bia = await openSocket(server);
  return async () => {
    ana.close();
    bia.close();
    await Promise.all([ana.closed(), bia.closed()]);
  };
});

async function join(socket: TestSocket, person: string, topic = TOPIC) {
  const config = { private: true, presence: { key: person, enabled: true } };
  const joined = await socket.join(topic, config, { access_token: await server.signIn(person) });
  await socket.reply(socket.send(topic, 'presence', { type: 'presence', event: 'track', payload: {} }));
  return joined;
}
const PRESENT = { metas: [{ phx_ref: expect.any(String) }] };
/** The next that tells of somebody who left. */
const nextLeaving = (socket: TestSocket) =>
  socket.next(({ event, payload }) => event === 'presence_diff' && Object.keys(payload.leaves).length > 0);

describe('when a row that names somebody has changed', () => {
  test('whoever may not see the others any more is out, and the others see them leave', async () => {
    await join(ana, 'ana');
    await join(bia, 'bia');
    reads['bia'] = async () => NOTHING;
    server.changePolicySources(new Set(['some-id', 'bia']));
    expect((await bia.event('system')).payload).toMatchObject({
      status: 'error',
      message: 'You do not have permissions to read from this Channel topic: category:1',
    });
    await bia.event('phx_close');
    expect((await nextLeaving(ana)).payload.leaves).toEqual({ bia: PRESENT });
    // Nobody asked about Ana, whom nothing named.
    expect(asked).toEqual(['ana', 'bia', 'bia']);
  });

  test('whoever may hear and not see any more is out, too', async () => {
    await join(bia, 'bia');
    reads['bia'] = async () => ({ broadcast: true, presence: false });
    server.changePolicySources(new Set(['bia']));
    expect((await bia.event('system')).payload.message).toBe(
      'You no longer have permission to read from this Channel topic: category:1',
    );
    await bia.event('phx_close');
  });

  test('whoever may look on and not show themselves stays, and is not shown', async () => {
    await join(ana, 'ana');
    await join(bia, 'bia');
    shows['bia'] = false;
    server.changePolicySources(new Set(['bia']));
    expect((await nextLeaving(ana)).payload.leaves).toEqual({ bia: PRESENT });
    expect((await nextLeaving(bia)).payload.leaves).toEqual({ bia: PRESENT });
    const again = bia.send(TOPIC, 'presence', { type: 'presence', event: 'track', payload: {} });
    expect((await bia.reply(again)).payload.status).toBe('error');
  });

  test('whoever shows themselves at that moment is asked about once more', async () => {
    await ana.join(
      TOPIC,
      { private: true, presence: { enabled: true } },
      { access_token: await server.signIn('ana') },
    );
    const before = Promise.withResolvers<boolean>();
    shows['ana'] = before.promise;
    const shown = ana.send(TOPIC, 'presence', { type: 'presence', event: 'track', payload: {} });
    await expect.poll(() => showsAsked).toEqual(['ana']);
    shows['ana'] = false;
    server.changePolicySources(new Set(['ana']));
    await expect.poll(() => asked).toEqual(['ana', 'ana']);
    await ana.reply(ana.send('phoenix', 'heartbeat', {}));
    before.resolve(true);
    expect((await ana.reply(shown)).payload.status).toBe('error');
  });

  test('whoever may as before notices nothing', async () => {
    await join(ana, 'ana');
    await join(bia, 'bia');
    server.changePolicySources(new Set(['ana', 'bia']));
    await expect.poll(() => asked.length).toBe(4);
    ana.close();
    expect((await nextLeaving(bia)).payload.leaves).toEqual({ ana: PRESENT });
    expect(bia.received.filter(({ event }) => event === 'system' || event === 'phx_close')).toEqual([]);
  });

  test('of their address it tells as well as of their id', async () => {
    const token = await server.keyring.signAccessToken({
      sub: 'bia',
      email: 'bia@exemplo.test',
      role: 'authenticated',
      exp: Date.now() / 1000 + 3_600,
    });
    await bia.join(TOPIC, { private: true, presence: { enabled: true } }, { access_token: token });
    reads['bia'] = async () => NOTHING;
    server.changePolicySources(new Set(['bia@exemplo.test']));
    await bia.event('phx_close');
  });

  test('of whoever sees nobody nothing is asked', async () => {
    reads['bia'] = async () => ({ broadcast: true, presence: false });
    await bia.join(TOPIC, { private: true }, { access_token: await server.signIn('bia') });
    await join(ana, 'ana');
    server.changePolicySources(new Set(['bia', 'ana']));
    await expect.poll(() => asked).toEqual(['bia', 'ana', 'ana']);
  });

  test('while they join, the answer of before does not let them stay', async () => {
    const before = Promise.withResolvers<typeof ALL>();
    reads['bia'] = () => before.promise;
    const joining = join(bia, 'bia');
    await expect.poll(() => asked).toEqual(['bia']);
    server.changePolicySources(new Set(['bia']));
    reads['bia'] = async () => NOTHING;
    before.resolve(ALL);
    await bia.event('phx_close');
    expect(asked).toEqual(['bia', 'bia']);
    // What it would still say is not heard by the others.
    await joining.catch(() => undefined);
    await join(ana, 'ana');
    expect((await ana.event('presence_state')).payload).toEqual({});
  });

  /** Holds the answer about Bia back, and gives what lets it come: she may read nothing. */
  async function holdAnswer(): Promise<() => Promise<void>> {
    await join(bia, 'bia');
    const late = Promise.withResolvers<typeof ALL>();
    reads['bia'] = () => late.promise;
    server.changePolicySources(new Set(['bia']));
    await expect.poll(() => asked).toEqual(['bia', 'bia']);
    return async () => {
      late.resolve(NOTHING);
      await late.promise;
      await bia.reply(bia.send('phoenix', 'heartbeat', {}));
    };
  }
  const endings = () =>
    bia.received.flatMap(({ event, payload }) =>
      event === 'phx_close' || (event === 'system' && payload.status === 'error') ? [event] : [],
    );

  test('an answer about somebody who left meanwhile says nothing', async () => {
    const answer = await holdAnswer();
    await bia.reply(bia.send(TOPIC, 'phx_leave', {}));
    const before = endings();
    await answer();
    expect(endings()).toEqual(before);
  });

  test('an answer about a token that was replaced meanwhile ends nothing', async () => {
    const answer = await holdAnswer();
    reads['bia'] = async () => ALL;
    const claims = { sub: 'bia', role: 'authenticated', exp: Date.now() / 1000 + 7_200 };
    bia.send(TOPIC, 'access_token', { access_token: await server.keyring.signAccessToken(claims) });
    await expect.poll(() => asked).toEqual(['bia', 'bia', 'bia']);
    await answer();
    expect(endings()).toEqual([]);
    await join(ana, 'ana');
    expect((await ana.event('presence_state')).payload).toHaveProperty('bia');
  });

  test('an older answer about a new token does not keep whoever was removed meanwhile', async () => {
    await join(bia, 'bia');
    const answers = [Promise.withResolvers<typeof ALL>(), Promise.withResolvers<typeof ALL>()] as const;
    reads['bia'] = () => answers[0].promise;
    bia.send(TOPIC, 'access_token', { access_token: await server.signIn('bia', 7_200) });
    await expect.poll(() => asked).toEqual(['bia', 'bia']);
    reads['bia'] = () => answers[1].promise;
    server.changePolicySources(new Set(['bia']));
    await expect.poll(() => asked).toEqual(['bia', 'bia', 'bia']);
    answers[0].resolve(ALL);
    await bia.reply(bia.send(TOPIC, 'presence', { type: 'presence', event: 'track', payload: {} }));
    answers[1].resolve(NOTHING);
    await bia.event('phx_close');
    expect(asked).toEqual(['bia', 'bia', 'bia', 'bia']);
  });

  test('a token that comes while the one before it is asked about counts by its own answer', async () => {
    const answer = await holdAnswer();
    const renew = async (seconds: number) => {
      reads['bia'] = async () => ALL;
      bia.send(TOPIC, 'access_token', { access_token: await server.signIn('bia', seconds) });
    };
    await renew(7_200);
    await expect.poll(() => asked).toHaveLength(3);
    const second = Promise.withResolvers<typeof ALL>();
    reads['bia'] = () => second.promise;
    await answer();
    await renew(7_300);
    await expect.poll(() => asked).toHaveLength(5);
    second.resolve(NOTHING);
    await bia.reply(bia.send(TOPIC, 'presence', { type: 'presence', event: 'track', payload: {} }));
    expect(endings()).toEqual([]);
    expect(asked).toHaveLength(5);
  });

  test('where nobody can say, the client is to join again by itself', async () => {
    await join(bia, 'bia');
    reads['bia'] = async () => {
      throw new Error('the database is away');
    };
    server.changePolicySources(new Set(['bia']));
    expect((await bia.event('phx_error')).topic).toBe(TOPIC);
  });
});

test('when nobody knows whom a change named, all are asked about', async () => {
  await join(ana, 'ana');
  await join(bia, 'bia');
  reads['ana'] = async () => NOTHING;
  server.changePolicySources(null);
  await ana.event('phx_close');
  await expect.poll(() => asked).toEqual(['ana', 'bia', 'ana', 'bia']);
});
