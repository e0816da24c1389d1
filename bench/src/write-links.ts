import { randomUUID } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type ExpectedChange, nameChange } from './realtime-load-messages.ts';
import type { AudienceMember } from './seed-audience.ts';
import type { RunningServer } from './start-server.ts';

export type WriteOptions = {
  readonly server: RunningServer;
  readonly people: readonly AudienceMember[];
  readonly perSecond: number;
  readonly seconds: number;
};

export type Written = {
  readonly changes: readonly ExpectedChange[];
  /** Acknowledged writes a second. */
  readonly rate: number;
  readonly refused: number;
};

type Link = { readonly id: string; readonly title: string };

/**
 * Writes links as people do, one request a write over the table protocol, spread evenly over the time and over everybody:
 * of ten writes of a person six are inserts, three updates and one a deletion.
 */
export async function writeLinks({ server, people, perSecond, seconds }: WriteOptions): Promise<Written> {
  const links = new Map<string, Link[]>(people.map(({ id }) => [id, []]));
  const changes: ExpectedChange[] = [];
  let refused = 0;
  const total = perSecond * seconds;
  const started = performance.now();
  const pending = new Set<Promise<void>>();
  for (let index = 0; index < total; index += 1) {
    const early = started + (index * 1000) / perSecond - performance.now();
    if (early > 0) await pause(early);
    const place = index % people.length;
    const person = people[place] as AudienceMember;
    const round = Math.floor(index / people.length);
    const writing = write(server, person, links.get(person.id) ?? [], place + round).then(
      (key) => {
        if (key === undefined) refused += 1;
        else changes.push({ key, personId: person.id });
      },
      (error: Error) => {
        refused += 1;
        process.stderr.write(`a write was not answered: ${error.cause ?? error}\n`);
      },
    );
    pending.add(writing);
    void writing.finally(() => pending.delete(writing));
  }
  await Promise.all(pending);
  return { changes, refused, rate: (changes.length * 1000) / (performance.now() - started) };
}

/** @returns the name of the change, or undefined when it was not acknowledged. */
async function write(
  server: RunningServer,
  { id: userId, token, categoryId }: AudienceMember,
  mine: Link[],
  turn: number,
): Promise<string | undefined> {
  const ask = (method: string, query: string, body?: unknown) =>
    request(`${server.url}/rest/v1/links${query}`, {
      method,
      headers: { apikey: server.anonKey, authorization: `Bearer ${token}` },
      body: body === undefined ? '' : JSON.stringify(body),
    });
  const kind = turn % 10;
  const link = kind >= 6 ? mine.shift() : undefined;
  if (link === undefined) {
    const created = { id: randomUUID(), title: `Ligação ${turn}` };
    const row = {
      ...created,
      url: 'https://exemplo.com.br/medida',
      category_id: categoryId,
      user_id: userId,
    };
    if (!(await ask('POST', '', row))) return undefined;
    mine.push(created);
    return nameChange('INSERT', created.id, created.title);
  }
  if (kind === 9)
    return (await ask('DELETE', `?id=eq.${link.id}`)) ? nameChange('DELETE', link.id, link.title) : undefined;
  const title = `Mudada na vez ${turn}`;
  if (!(await ask('PATCH', `?id=eq.${link.id}`, { title }))) return undefined;
  mine.push({ ...link, title });
  return nameChange('UPDATE', link.id, title);
}

/** Like so many open browsers: a server that lags behind is not opened a connection for every request that waits. */
const connections = new Agent({ keepAlive: true, maxSockets: 64 });

/** @returns whether it was answered with a status of success. */
function request(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: string },
): Promise<boolean> {
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, agent: connections, headers: { ...headers, ...length } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode !== undefined && response.statusCode < 300));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
