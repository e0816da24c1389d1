import { randomUUID } from 'node:crypto';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import { afterEach, beforeAll, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { type Client, createOperator, createVisitor } from './support/create-visitor.ts';
import { openRawSocket, type RawSocket } from './support/open-raw-socket.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const operator = createOperator(deployment);

/** One sign-in, as whoever got hold of its access token would use it: nothing of the client's own forgetting helps. */
type Holder = {
  readonly person: Person;
  readonly shelf: Shelf;
  readonly client: Client;
  readonly token: string;
  readonly refreshToken: string;
  readonly sessionId: string;
  readonly socket: RawSocket;
  readonly room: string;
  /** For a file that may be written until the session ends. */
  readonly uploadUrl: string;
};

const sockets: RawSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

async function createHolder(): Promise<Holder> {
  const person = await createPerson(deployment);
  const shelf = await createShelf(person);
  const client = createVisitor(deployment);
  const session = required((await client.auth.signInWithPassword(person)).data.session);
  const { access_token: token, refresh_token: refreshToken } = session;
  const { session_id: sessionId } = JSON.parse(atob(required(token.split('.')[1])));
  const socket = await openRawSocket(deployment, '2.0.0');
  sockets.push(socket);
  const room = `sala-${randomUUID()}`;
  const upload = await client.storage
    .from('arquivos')
    .createSignedUploadUrl(`${person.id}/tarde.txt`, { upsert: true });
  const uploadUrl = required(upload.data, upload.error).signedUrl;
  const holder = { person, shelf, client, token, refreshToken, sessionId, socket, room, uploadUrl };
  for (const [topic, config] of joinedBy(holder))
    expect((await join(holder, topic, config)).payload['status']).toBe('ok');
  await socket.find(({ event, payload }) => event === 'system' && payload['status'] === 'ok');
  return holder;
}

const joinedBy = ({ room, sessionId, person }: Pick<Holder, 'room' | 'sessionId' | 'person'>) =>
  [
    [`realtime:${room}`, { private: false }],
    [`realtime:session:${sessionId}`, { private: true }],
    [
      'realtime:linhas',
      {
        postgres_changes: [
          { event: '*', schema: 'public', table: 'folders', filter: `user_id=eq.${person.id}` },
        ],
      },
    ],
  ] as const;

function join({ socket, token }: Pick<Holder, 'socket' | 'token'>, topic: string, config: object) {
  const ref = randomUUID();
  socket.push({ topic, event: 'phx_join', payload: { config, access_token: token }, ref, joinRef: ref });
  return socket.replyTo(ref);
}

const ask = ({ token }: Holder, method: string, path: string, body?: unknown) =>
  fetch(`${deployment.url}${path}`, {
    method,
    headers: {
      apikey: deployment.anonKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** What every service answers the token: true where it acts for its person. */
async function actsIn(holder: Holder): Promise<Record<string, boolean>> {
  const { person, socket, room, uploadUrl } = holder;
  const status = async (answer: Promise<Response>) => (await answer).status < 300;
  const some = async (answer: Promise<Response>) => {
    const rows: unknown = await (await answer).json();
    return Array.isArray(rows) && rows.length > 0;
  };
  const files = `/storage/v1/object/arquivos/${person.id}`;
  const message = { topic: room, event: 'e', payload: {} };
  const topic = `realtime:nova-${randomUUID()}`;
  const acts: Record<string, Promise<boolean>> = {
    'a table is read': some(ask(holder, 'GET', '/rest/v1/categories?select=id')),
    'a table is written': status(ask(holder, 'POST', '/rest/v1/folders', { name: randomUUID() })),
    'a function of the database': some(ask(holder, 'POST', '/rest/v1/rpc/list_devices', {})),
    'a function that changes': status(
      ask(holder, 'POST', '/rest/v1/rpc/end_device', { session_id: randomUUID() }),
    ),
    'an edge function': status(ask(holder, 'GET', '/functions/v1/check-subscription')),
    'a file is listed': some(
      ask(holder, 'POST', '/storage/v1/object/list/arquivos', { prefix: person.id, limit: 10 }),
    ),
    'a file is read': status(ask(holder, 'GET', `${files}/velha.txt`)),
    'a file is written': status(ask(holder, 'POST', `${files}/${randomUUID()}.txt`, {})),
    'an upload is signed': status(
      ask(holder, 'POST', `/storage/v1/object/upload/sign/arquivos/${person.id}/${randomUUID()}.txt`, {}),
    ),
    'a signed upload': status(fetch(uploadUrl, { method: 'PUT', body: 'x' })),
    'a broadcast in a batch': status(
      ask(holder, 'POST', '/realtime/v1/api/broadcast', { messages: [message] }),
    ),
    'a single broadcast': status(ask(holder, 'POST', `/realtime/v1/api/broadcast/${room}/events/e`, {})),
    'a public channel is joined': join(holder, topic, {}).then(({ payload }) => payload['status'] === 'ok'),
    'a channel of rows is joined': join(holder, `${topic}-linhas`, {
      postgres_changes: [{ event: '*', schema: 'public', table: 'links' }],
    }).then(({ payload }) => payload['status'] === 'ok'),
    'the account is read': status(ask(holder, 'GET', '/auth/v1/user')),
    'the account is changed': status(ask(holder, 'PUT', '/auth/v1/user', { data: { a: 1 } })),
  };
  expect(socket.isOpen()).toBe(true);
  const entries = Object.entries(acts).map(async ([name, act]) => [name, await act] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Resolves once the service has closed what the socket had joined, each with its reason. */
async function channelsClosed(holder: Holder): Promise<void> {
  for (const [joined] of joinedBy(holder)) {
    await holder.socket.find(({ topic, event }) => topic === joined && event === 'phx_close');
    expect(holder.socket.heard).toContainEqual(
      expect.objectContaining({
        topic: joined,
        event: 'system',
        payload: expect.objectContaining({ status: 'error', message: 'Session has ended' }),
      }),
    );
  }
}

async function runSql(text: string, ...values: unknown[]): Promise<void> {
  const database = await openServerDatabase(deployment.dataFolder);
  try {
    await database.query(text, values);
  } finally {
    await database.end();
  }
}

/** @throws when the service refuses. */
async function done(answer: PromiseLike<{ readonly error: unknown }>): Promise<void> {
  const { error } = await answer;
  if (error) throw error;
}

const refresh = async (token: string) =>
  (await (
    await fetch(`${deployment.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: {
        apikey: deployment.anonKey,
        'content-type': 'application/json',
        'x-supabase-api-version': '2024-01-01',
      },
      body: JSON.stringify({ refresh_token: token }),
    })
  ).json()) as { readonly refresh_token?: string; readonly code?: string };

/** What is done beforehand, and then what ends the session. */
const WAYS: Readonly<Record<string, (holder: Holder) => Promise<() => Promise<unknown>>>> = {
  'signing out here':
    async ({ client }) =>
    () =>
      done(client.auth.signOut({ scope: 'local' })),
  'signing out of the others, elsewhere':
    async ({ person }) =>
    () =>
      done(person.client.auth.signOut({ scope: 'others' })),
  'signing out everywhere, elsewhere':
    async ({ person }) =>
    () =>
      done(person.client.auth.signOut({ scope: 'global' })),
  'a new password, elsewhere':
    async ({ person }) =>
    () =>
      done(person.client.auth.updateUser({ password: `nova-${randomUUID()}` })),
  'ending this device, elsewhere':
    async ({ person, sessionId }) =>
    () =>
      done(person.client.rpc('end_device', { session_id: sessionId })),
  'ending all other devices, elsewhere':
    async ({ person }) =>
    () =>
      done(person.client.rpc('end_other_devices')),
  'a ban':
    async ({ person }) =>
    () =>
      done(operator.auth.admin.updateUserById(person.id, { ban_duration: '24h' })),
  'a deletion that keeps the row':
    async ({ person }) =>
    () =>
      done(operator.auth.admin.deleteUser(person.id, true)),
  'a deletion':
    async ({ person }) =>
    () =>
      done(operator.auth.admin.deleteUser(person.id)),
  'closing the account, elsewhere':
    async ({ person }) =>
    () =>
      done(person.client.functions.invoke('delete-account', { body: { confirmation: 'EXCLUIR' } })),
  'a refresh token that was used before': async ({ refreshToken, sessionId }) => {
    const second = await refresh(refreshToken);
    await refresh(required(second.refresh_token));
    await runSql(
      `update auth.refresh_tokens set updated_at = updated_at - interval '1 minute' where session_id = $1`,
      sessionId,
    );
    return async () => expect((await refresh(refreshToken)).code).toBe('refresh_token_already_used');
  },
};

let stranger: Holder;
beforeAll(async () => {
  stranger = await createHolder();
  sockets.length = 0;
  await operator.storage.from('arquivos').upload(`${stranger.person.id}/velha.txt`, 'x');
});

test.each(Object.entries(WAYS))(
  '%s ends the token in every service within seconds',
  async (_way, prepare) => {
    const holder = await createHolder();
    await operator.storage.from('arquivos').upload(`${holder.person.id}/velha.txt`, 'x');
    const end = await prepare(holder);
    await end();
    const endedAt = performance.now();
    const [acts, closedAfter] = await Promise.all([
      actsIn(holder),
      channelsClosed(holder).then(() => performance.now() - endedAt),
    ]);
    // Looked at twice a second; the rest is what a busy machine takes.
    expect(closedAfter).toBeLessThan(15_000);
    expect(Object.keys(acts).filter((name) => acts[name])).toEqual([]);
    const strangers = await actsIn(stranger);
    expect(Object.keys(strangers).filter((name) => !strangers[name])).toEqual([]);

    // What happens afterwards is told to the stranger and to nobody else on these sockets.
    const heardBefore = holder.socket.heard.length;
    const [theirs, its] = [randomUUID(), randomUUID()];
    await operator.from('folders').insert({ id: its, name: its, user_id: holder.person.id });
    await done(operator.from('folders').insert({ id: theirs, name: theirs, user_id: stranger.person.id }));
    await stranger.socket.find(({ payload }) => JSON.stringify(payload).includes(theirs));
    expect(holder.socket.heard.slice(heardBefore)).toEqual([]);
    expect(stranger.socket.heard.filter(({ event }) => event === 'phx_close')).toEqual([]);
  },
);
