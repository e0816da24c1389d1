import { type RawData, WebSocket } from 'ws';
import {
  type ExpectedChange,
  type LoadAnswer,
  type LoadOrder,
  type LoadPerson,
  type LoadReport,
  nameChange,
} from './realtime-load-messages.ts';

/**
 * The audience of the realtime benchmark, in a process of its own (started by `start-realtime-load.ts`): thousands of
 * sockets that speak the newer serializer, hold the five subscriptions of the web app each and note what they hear. One
 * socket of each person does not filter links: there row-level security alone decides what comes.
 */
const TABLES = ['folders', 'categories', 'links', 'subscribers', 'shared_with'];
const HEARTBEAT_MS = 25_000;
/** The machine under test is the same as the one that tests: as many people at once as browsers would reconnect. */
const AT_ONCE = 50;
const CONNECT_WITHIN_MS = 60_000;

const sockets: WebSocket[] = [];
const broken: string[] = [];
const received = new Map<string, number>();
let latencies: number[] = [];
let foreign = 0;
let isClosing = false;
let socketsEach = 0;

const answer = (message: LoadAnswer) => process.send?.(message);

process.on('message', (order: LoadOrder) => {
  obey(order).catch((error: unknown) => answer({ kind: 'failed', reason: String(error) }));
});
process.on('disconnect', () => process.exit(0));

async function obey(order: LoadOrder): Promise<void> {
  switch (order.kind) {
    case 'connect':
      return connectAll(order);
    case 'begin':
      received.clear();
      latencies = [];
      foreign = 0;
      answer({ kind: 'begun' });
      return;
    case 'report':
      answer({ kind: 'report', report: await report(order.expected, order.patienceMs) });
      return;
    case 'close':
      await closeAll();
      answer({ kind: 'closed' });
  }
}

async function connectAll(order: Extract<LoadOrder, { kind: 'connect' }>): Promise<void> {
  const { people, socketsPerPerson, url, apikey } = order;
  const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0`;
  const waiting = people.flatMap((person) =>
    Array.from({ length: socketsPerPerson }, (_, place) => ({ person, isFiltered: place > 0 })),
  );
  isClosing = false;
  socketsEach = socketsPerPerson;
  const connectSome = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      await open(address, next.person, next.isFiltered);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, connectSome));
  answer({
    kind: 'connected',
    sockets: sockets.length,
    subscriptions: sockets.length * TABLES.length,
  });
}

/** Resolves when all five subscriptions of the socket are live. */
function open(address: string, person: LoadPerson, isFiltered: boolean): Promise<void> {
  const filter = `user_id=eq.${person.id}`;
  const subscriptions = TABLES.map((table) =>
    table === 'shared_with' || (table === 'links' && !isFiltered) ? { table } : { table, filter },
  );
  const socket = new WebSocket(address, { perMessageDeflate: false });
  sockets.push(socket);
  const heartbeat = setInterval(() => socket.send('[null,"0","phoenix","heartbeat",{}]'), HEARTBEAT_MS);
  socket.on('close', (code) => {
    clearInterval(heartbeat);
    if (!isClosing) broken.push(`socket closed with ${code}`);
  });
  socket.on('error', ({ message }) => broken.push(message));
  socket.on('open', () => {
    for (const [index, subscription] of subscriptions.entries()) {
      const ref = `${index + 1}`;
      const config = { postgres_changes: [{ event: '*', schema: 'public', ...subscription }] };
      const payload = { config, access_token: person.token };
      socket.send(JSON.stringify([ref, ref, `realtime:${subscription.table}`, 'phx_join', payload]));
    }
  });
  return new Promise((resolve, reject) => {
    let live = 0;
    const timer = setTimeout(
      () => reject(new Error(`a socket was not live in time; ${broken.slice(0, 3)}`)),
      CONNECT_WITHIN_MS,
    );
    socket.on('message', (data) => {
      if (hear(data, person) !== 'live') return;
      live += 1;
      if (live < subscriptions.length) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

function hear(data: RawData, person: LoadPerson): 'live' | undefined {
  const now = Date.now();
  const [, , topic, event, payload] = JSON.parse(data.toString());
  if (event === 'postgres_changes') {
    note(payload.data, person, now);
    return undefined;
  }
  if (event === 'system' && payload.status === 'ok') return 'live';
  const isFault =
    event === 'phx_error' || event === 'phx_close' || event === 'system' || payload.status === 'error';
  if (isFault && !isClosing) broken.push(`${topic} ${event} ${JSON.stringify(payload)}`);
  return undefined;
}

type ChangeData = {
  readonly type: string;
  readonly table: string;
  readonly commit_timestamp: string;
  readonly record?: Record<string, unknown>;
  readonly old_record?: Record<string, unknown>;
};

function note(
  { type, table, commit_timestamp, record, old_record }: ChangeData,
  person: LoadPerson,
  now: number,
) {
  const row = (type === 'DELETE' ? old_record : record) ?? {};
  const owners = [record?.['user_id'], old_record?.['user_id']].filter((id) => id !== undefined);
  if (owners.some((id) => id !== person.id) || owners.length === 0) foreign += 1;
  if (table !== 'links') return;
  latencies.push(now - Date.parse(commit_timestamp));
  const key = `${person.id} ${nameChange(type, row['id'] as string, row['title'] as string)}`;
  received.set(key, (received.get(key) ?? 0) + 1);
}

async function report(expected: readonly ExpectedChange[], patienceMs: number): Promise<LoadReport> {
  const deadline = Date.now() + patienceMs;
  const count = () => {
    let [missing, repeated] = [0, 0];
    for (const { key, personId } of expected) {
      const times = received.get(`${personId} ${key}`) ?? 0;
      missing += Math.max(0, socketsEach - times);
      repeated += Math.max(0, times - socketsEach);
    }
    return { missing, repeated };
  };
  while (count().missing > 0 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return { ...count(), latencies, received: latencies.length, foreign, broken };
}

async function closeAll(): Promise<void> {
  isClosing = true;
  const ended = sockets.map(
    (socket) =>
      new Promise((resolve) => {
        if (socket.readyState === WebSocket.CLOSED) resolve(undefined);
        else socket.once('close', resolve).close();
      }),
  );
  await Promise.all(ended);
  sockets.length = 0;
}
