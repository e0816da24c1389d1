import { randomUUID } from 'node:crypto';
import { afterEach, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { createVisitor } from './support/create-visitor.ts';
import { encodeBroadcast, openRawSocket, type RawSocket } from './support/open-raw-socket.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

const sockets: RawSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** Undefined for somebody who has no account. */
async function tokenOf(person: Person | undefined): Promise<string> {
  return person
    ? required((await person.client.auth.getSession()).data.session).access_token
    : deployment.anonKey;
}

async function openSocket(): Promise<RawSocket> {
  const socket = await openRawSocket(deployment, '2.0.0');
  sockets.push(socket);
  return socket;
}

async function join(socket: RawSocket, token: string, name: string, isPrivate: boolean): Promise<unknown> {
  const ref = randomUUID();
  const config = { private: isPrivate, broadcast: { ack: true } };
  socket.push({
    topic: `realtime:${name}`,
    event: 'phx_join',
    payload: { config, access_token: token },
    ref,
    joinRef: ref,
  });
  return (await socket.replyTo(ref)).payload['status'];
}

type Attack = (token: string, topic: string, event: string) => Promise<unknown>;

const overSocket =
  (isPrivate: boolean): Attack =>
  async (token, topic, event) => {
    const socket = await openSocket();
    await join(socket, token, topic, isPrivate);
    const full = `realtime:${topic}`;
    socket.push({ topic: full, event: 'broadcast', payload: { type: 'broadcast', event, payload: {} } });
    socket.sendRaw(encodeBroadcast({ topic: full, event, payload: '{}' }));
    // Its answer comes when the frames before it have been dealt with.
    socket.push({ topic: 'phoenix', event: 'heartbeat', ref: 'last' });
    await socket.replyTo('last');
  };
const post = (token: string, path: string, body: unknown) =>
  fetch(`${deployment.url}/realtime/v1/api/broadcast${path}`, {
    method: 'POST',
    headers: { apikey: token, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const inBatch =
  (isPrivate: boolean): Attack =>
  (token, topic, event) =>
    post(token, '', { messages: [{ topic, event, payload: {}, private: isPrivate }] });
const alone =
  (isPrivate: boolean): Attack =>
  (token, topic, event) =>
    post(token, `/${topic}/events/${event}?private=${isPrivate}`, {});
const bySql: Attack = (token, topic, event) =>
  fetch(`${deployment.url}/rest/v1/rpc/send`, {
    method: 'POST',
    headers: {
      apikey: deployment.anonKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-profile': 'realtime',
    },
    body: JSON.stringify({ payload: {}, event, topic, private: true }),
  });

/** Over sockets and HTTP, to the private topic and to a public one of the same name, and past the realtime service. */
const ATTACKS: readonly Attack[] = [
  ...[true, false].flatMap((isPrivate) => [overSocket(isPrivate), inBatch(isPrivate), alone(isPrivate)]),
  bySql,
];

test('what an open page listens to nobody can send but the database: not a visitor, not a stranger, not its owner', async () => {
  const [owner, stranger] = [await createPerson(deployment), await createPerson(deployment, { plan: 'pro' })];
  const sharer = await createPerson(deployment, { plan: 'pro' });
  const { categoryId } = await createShelf(sharer);
  const share = { category_id: categoryId, is_public: true, emails: [] };
  expect((await sharer.client.rpc('save_sharing', share)).error).toBeNull();
  const token = await tokenOf(owner);
  const { session_id: sessionId } = JSON.parse(atob(required(token.split('.')[1])));
  const [ended, changed] = [`session:${sessionId}`, `shared:${categoryId}`];

  const page = await openSocket();
  const visitor = await openSocket();
  expect(await join(page, token, ended, true)).toBe('ok');
  expect(await join(visitor, deployment.anonKey, changed, true)).toBe('ok');
  for (const person of [undefined, stranger, owner]) {
    const attacker = await tokenOf(person);
    if (person !== owner) expect(await join(await openSocket(), attacker, ended, true)).toBe('error');
    for (const attack of ATTACKS) {
      await attack(attacker, ended, 'ended');
      await attack(attacker, changed, 'changed');
    }
  }

  // The database's own words come, behind which nothing else is on its way.
  await sharer.client.from('categories').update({ name: 'Nova' }).eq('id', categoryId);
  const isBroadcast = ({ event }: { readonly event: string }) => event === 'broadcast';
  await visitor.find(isBroadcast);
  expect(visitor.heard.filter(isBroadcast)).toHaveLength(1);
  expect(visitor.heard.filter(isBroadcast)[0]?.payload).toMatchObject({ event: 'changed' });
  expect(page.heard.filter(isBroadcast)).toEqual([]);

  const elsewhere = createVisitor(deployment);
  await elsewhere.auth.signInWithPassword(owner);
  expect((await elsewhere.rpc('end_device', { session_id: sessionId })).data).toBe(true);
  expect((await page.find(isBroadcast)).payload).toMatchObject({ event: 'ended' });
});
