import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSocket, type TestSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
let listener: TestSocket;
const canWrite = vi.fn<StartedRealtime['access']['canWrite']>();
beforeAll(async () => {
  server = await startRealtime({ limits: { broadcastBytes: 60_000 } });
  server.access.canWrite = canWrite;
});
afterAll(() => server.app.close());
beforeEach(async () => {
  canWrite.mockReset().mockImplementation(async (_caller, topic) => topic !== 'proibida');
  listener = await openSocket(server);
  await listener.join('realtime:a/b ç');
  return () => listener.close();
});

type Headers = Record<string, string>;
const json = { 'content-type': 'application/json' };
const post = (path: string, payload: string | Buffer | object, headers: Headers = {}) =>
  server.app.inject({
    method: 'POST',
    url: `/realtime/v1/api/broadcast${path}`,
    headers: { apikey: server.keyring.anonKey, ...headers },
    payload,
  });
const batch = (messages: unknown, headers: Headers = {}) => post('', { messages }, { ...json, ...headers });
const single = (topic: string, payload: string | Buffer | object, headers: Headers = json, query = '') =>
  post(`/${encodeURIComponent(topic)}/events/${encodeURIComponent('olá/você')}${query}`, payload, headers);
const receivedEvents = async () => (await listener.receivedEvents('broadcast')).map(({ payload }) => payload);
const MESSAGE = { topic: 'a/b ç', event: 'e', payload: { x: 1 } };

describe('a batch', () => {
  test('is taken with 202 and nothing in it, and reaches its listeners in order', async () => {
    const answer = await batch([
      MESSAGE,
      { ...MESSAGE, event: 'f', private: false },
      { ...MESSAGE, topic: 'outra' },
    ]);
    expect([answer.statusCode, answer.body]).toEqual([202, '']);
    expect(await receivedEvents()).toEqual([
      { type: 'broadcast', event: 'e', payload: { x: 1 } },
      { type: 'broadcast', event: 'f', payload: { x: 1 } },
    ]);
  });

  test('leaves out what policies deny and sends the rest', async () => {
    await listener.join('realtime:permitida', { private: true });
    await listener.join('realtime:proibida', { private: true });
    const answer = await batch(
      ['proibida', 'permitida', 'permitida'].map((topic) => ({ ...MESSAGE, topic, private: true })),
    );
    expect(answer.statusCode).toBe(202);
    expect(canWrite).toHaveBeenCalledTimes(2);
    const topics = (await listener.receivedEvents('broadcast')).map(({ topic }) => topic);
    expect(topics).toEqual(['realtime:permitida', 'realtime:permitida']);
  });

  test.each([
    ['no list', undefined, { messages: ["can't be blank"] }],
    ['an empty list', [], { messages: ["can't be blank"] }],
    ['no list of messages', 'x', { messages: ['is invalid'] }],
    ['a message that is none', [7], { 'messages.0': ['is invalid'] }],
    [
      'nothing in a message',
      [MESSAGE, {}],
      {
        'messages.1.topic': ["can't be blank"],
        'messages.1.event': ["can't be blank"],
        'messages.1.payload': ["can't be blank"],
      },
    ],
    [
      'the wrong kinds',
      [{ topic: 1, event: [], payload: 'x', private: 'yes' }],
      {
        'messages.0.topic': ['is invalid'],
        'messages.0.event': ['is invalid'],
        'messages.0.payload': ['is invalid'],
        'messages.0.private': ['is invalid'],
      },
    ],
  ])('with %s is refused as a whole, and says where', async (_name, messages, errors) => {
    const answer = await batch(messages);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { message: 'Unprocessable Entity', errors },
    ]);
    expect(await receivedEvents()).toEqual([]);
  });

  test('that is no JSON is refused', async () => {
    expect((await post('', '{', json)).json()).toMatchObject({ errors: { body: ['is invalid JSON'] } });
    expect(
      (await post('', Buffer.from('{}'), { 'content-type': 'application/octet-stream' })).statusCode,
    ).toBe(415);
  });

  test('of more than a second’s messages is refused; a person who has sent enough is asked to wait', async () => {
    const authorization = `Bearer ${await server.signIn('rosa')}`;
    const many = Array(501).fill({ ...MESSAGE, topic: 'x' });
    expect((await batch(many, { authorization })).json().error).toBe(
      'Too many messages to broadcast, please reduce the batch size',
    );
    const atOnce = await Promise.all([1, 2].map(() => batch(many.slice(0, 300), { authorization })));
    const [taken, refused] = atOnce.sort((one, other) => one.statusCode - other.statusCode);
    expect(taken?.statusCode).toBe(202);
    expect([refused?.statusCode, refused?.headers['retry-after'], refused?.json().error]).toEqual([
      429,
      '1',
      'You have exceeded your rate limit',
    ]);
    // Others, and the operator, are not held up by her.
    expect((await batch([MESSAGE])).statusCode).toBe(202);
    const operator = { authorization: `Bearer ${server.keyring.serviceRoleKey}` };
    expect((await batch(many.slice(0, 400), operator)).statusCode).toBe(202);
    expect((await batch(many, operator)).statusCode).toBe(202);
  });
});

describe('a single message', () => {
  test('as JSON goes on as it was written, with the names of its address', async () => {
    const answer = await single('a/b ç', '{"big":12345678901234567890,"a":[1]}');
    expect([answer.statusCode, answer.body]).toEqual([202, '']);
    expect(await receivedEvents()).toEqual([
      { type: 'broadcast', event: 'olá/você', payload: { big: Number('12345678901234567890'), a: [1] } },
    ]);
    expect((await single('a/b ç', '"texto"')).statusCode).toBe(202);
  });

  test('as bytes goes to those who can read bytes', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await single('a/b ç', Buffer.from([0, 255]), headers)).statusCode).toBe(202);
    const [message] = await receivedEvents();
    expect([...message.payload]).toEqual([0, 255]);
  });

  test('to a private topic needs the right to write there', async () => {
    await listener.join('realtime:permitida', { private: true });
    await listener.join('realtime:proibida', { private: true });
    const headers = { ...json, authorization: `Bearer ${await server.signIn('maria')}`, 'x-trace': 't' };
    expect((await single('permitida', {}, headers, '?private=true')).statusCode).toBe(202);
    expect(canWrite).toHaveBeenCalledWith(
      expect.objectContaining({ claims: expect.objectContaining({ sub: 'maria' }) }),
      'permitida',
      'broadcast',
      { 'x-trace': 't' },
    );
    const denied = await single('proibida', {}, headers, '?private=true');
    expect([denied.statusCode, denied.json().error]).toEqual([
      403,
      'You do not have permissions to write to this Channel topic: proibida',
    ]);
    expect(await listener.receivedEvents('broadcast')).toHaveLength(1);
  });

  test('is refused when it is no JSON, too large, or of a type that is not read', async () => {
    expect((await single('a/b ç', '{')).statusCode).toBe(422);
    expect((await single('a/b ç', '')).statusCode).toBe(422);
    const large = await single('a/b ç', JSON.stringify('x'.repeat(61_000)));
    expect([large.statusCode, large.json().error]).toEqual([413, 'Payload size exceeded']);
    expect(await receivedEvents()).toEqual([]);
  });

  test('asks to come back when the database cannot be asked', async () => {
    canWrite.mockRejectedValue(Object.assign(new Error('a secret place'), { code: 'ECONNREFUSED' }));
    const answer = await single('permitida', {}, json, '?private=true');
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain('secret');
  });
});

describe('a sender', () => {
  test.each([
    ['without a key', async () => ({ apikey: '' })],
    ['with a key of nobody', async () => ({ apikey: 'x' })],
    ['with an expired token', async () => ({ authorization: `Bearer ${await server.signIn('maria', -5)}` })],
    ['with a token that does not hold', async () => ({ authorization: 'Bearer x.y.z' })],
  ])('%s is nobody: 401, and nothing is sent', async (_name, headers) => {
    for (const answer of [
      await batch([MESSAGE], await headers()),
      await single('a/b ç', {}, { ...json, ...(await headers()) }),
    ]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({ error: expect.any(String), message: expect.any(String) });
    }
    expect(await receivedEvents()).toEqual([]);
  });

  test('with the platform’s opaque token beside a key is the key’s role', async () => {
    expect((await batch([MESSAGE], { authorization: 'Bearer sb_publishable_x' })).statusCode).toBe(202);
  });
});

test('the service answers a ping', async () => {
  expect((await server.app.inject('/realtime/v1/api/ping')).json()).toEqual({ message: 'Success' });
});
