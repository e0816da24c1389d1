import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Draw } from '@linkoteca/server-process/create-draw';
import { PASSWORD } from '../sign-in-as.ts';
import type { Answer, Change, Ledger } from './ledger.ts';
import type { Keys, Writer } from './people.ts';

export type Load = {
  /** Every server that takes requests: each request goes to one of them. */
  readonly urls: readonly string[];
  readonly keys: Keys;
  readonly writers: readonly Writer[];
  readonly ledger: Ledger;
  readonly draw: Draw;
  readonly kinds: readonly LoadKind[];
};

export type LoadKind = 'links' | 'imports' | 'files' | 'accounts';

/** What one client does next, over and over; it keeps what it has written in mind. */
type Step = () => Promise<Answer>;
type Send = (path: string, init: RequestInit) => Promise<Answer>;

/** After an answer that says the server is away. */
const REST_MS = 25;
/** What is under way when the writing ends is waited for so long, then left without an answer. */
const LAST_ANSWERS_MS = 3_000;

/** Writes from many clients at once, as fast as they are answered, until it is stopped. */
export function startWriting(load: Load): { stop(): Promise<void> } {
  const { writers, keys, draw, urls, kinds } = load;
  const ending = new AbortController();
  let isStopping = false;

  const sendAs =
    (headers: Readonly<Record<string, string>>): Send =>
    async (path, init) => {
      try {
        const response = await fetch(`${draw.one(urls)}${path}`, {
          ...init,
          headers: { ...headers, ...init.headers },
          signal: ending.signal,
        });
        await response.arrayBuffer();
        if (response.ok) return 'acknowledged';
        return response.status < 500 ? 'refused' : 'unknown';
      } catch {
        return 'unknown';
      }
    };

  async function repeat(step: Step): Promise<void> {
    while (!isStopping) if ((await step()) !== 'acknowledged') await pause(REST_MS);
  }

  const clients: Step[] = [];
  if (kinds.includes('accounts'))
    clients.push(signUp(load, sendAs({ apikey: keys.anonKey, 'content-type': 'application/json' })));
  for (const writer of writers) {
    const send = sendAs(writer.headers);
    if (kinds.includes('links')) clients.push(writeLinks(load, writer, send), writeTrees(load, writer, send));
    if (kinds.includes('imports')) clients.push(importParts(load, send));
    if (kinds.includes('files')) clients.push(writeFiles(load, writer, send));
  }
  const working = Promise.all(clients.map(repeat));
  return {
    async stop() {
      isStopping = true;
      const timer = setTimeout(() => ending.abort(), LAST_ANSWERS_MS);
      await working;
      clearTimeout(timer);
    },
  };
}

const json = (body: unknown) => ({ body: JSON.stringify(body) });

/** Adds one link or ten at once, renames, moves and deletes. The title is the client's name for a link: the id is the server's. */
function writeLinks({ ledger, draw }: Load, { categoryIds }: Writer, send: Send): Step {
  const mine: string[] = [];
  const row = (title: string) => ({
    title,
    url: `https://exemplo.com.br/${draw.number(1_000_000)}`,
    category_id: draw.one(categoryIds),
  });
  const toChange = ({ title, url, category_id }: ReturnType<typeof row>): Change => ({
    key: `link ${title}`,
    state: `${url} in ${category_id}`,
  });

  return async () => {
    const kind = draw.number(10);
    const title = kind < 5 ? undefined : mine.shift();
    if (title === undefined) {
      const rows = Array.from({ length: kind === 0 ? 10 : 1 }, () => row(randomUUID()));
      const answer = await ledger.attempt(rows.map(toChange), () =>
        send('/rest/v1/links', { method: 'POST', ...json(rows) }),
      );
      if (answer === 'acknowledged') mine.push(...rows.map((each) => each.title));
      return answer;
    }
    const address = `/rest/v1/links?title=eq.${title}`;
    if (kind === 9)
      return ledger.attempt([{ key: `link ${title}`, state: null }], () =>
        send(address, { method: 'DELETE' }),
      );
    const changed = row(title);
    const answer = await ledger.attempt([toChange(changed)], () =>
      send(address, { method: 'PATCH', ...json(changed) }),
    );
    if (answer === 'acknowledged') mine.push(title);
    return answer;
  };
}

/** Adds a category with three links, renames it, and deletes it with what is in it. */
function writeTrees({ ledger }: Load, { folderId }: Writer, send: Send): Step {
  let tree: { readonly id: string; readonly name: string; readonly links: readonly string[] } | undefined;
  let age = 0;
  const category = (name: string, state: string | null): Change => ({ key: `category ${name}`, state });

  return async () => {
    const current = tree;
    age += 1;
    if (current === undefined) {
      const made = { id: randomUUID(), name: randomUUID(), links: [] };
      const answer = await ledger.attempt([category(made.name, made.id)], () =>
        send('/rest/v1/categories', {
          method: 'POST',
          ...json({ id: made.id, name: made.name, folder_id: folderId }),
        }),
      );
      if (answer === 'acknowledged') [tree, age] = [made, 0];
      return answer;
    }
    // What was left without an answer is not touched again.
    tree = undefined;
    const address = `/rest/v1/categories?id=eq.${current.id}`;
    if (age > 2) {
      const gone = [
        category(current.name, null),
        ...current.links.map((title) => ({ key: `link ${title}`, state: null })),
      ];
      return ledger.attempt(gone, () => send(address, { method: 'DELETE' }));
    }
    if (age === 2) {
      const name = randomUUID();
      const answer = await ledger.attempt([category(current.name, null), category(name, current.id)], () =>
        send(address, { method: 'PATCH', ...json({ name }) }),
      );
      if (answer === 'acknowledged') tree = { ...current, name };
      return answer;
    }
    const rows = Array.from({ length: 3 }, () => ({
      title: randomUUID(),
      url: 'https://exemplo.com.br/',
      category_id: current.id,
    }));
    const changes = rows.map(({ title, url }) => ({
      key: `link ${title}`,
      state: `${url} in ${current.id}`,
    }));
    const answer = await ledger.attempt(changes, () =>
      send('/rest/v1/links', { method: 'POST', ...json(rows) }),
    );
    if (answer === 'acknowledged') tree = { ...current, links: rows.map(({ title }) => title) };
    return answer;
  };
}

const IMPORT_PART_LINKS = 25;

/** A bookmark file in parts. A part without an answer is sent again until it has one, as the app does. */
function importParts({ ledger }: Load, send: Send): Step {
  let importId = randomUUID();
  let part = 0;
  return async () => {
    const name = `${importId}.${part}`;
    const content = {
      places: [{ n: 0, folder: 'Leituras', category: 'Livros', description: null }],
      links: Array.from({ length: IMPORT_PART_LINKS }, (_, n) => ({
        n,
        place: 0,
        title: `${name}.${n}`,
        url: `https://exemplo.com.br/${name}/${n}`,
      })),
    };
    const answer = await ledger.attempt([{ key: `import ${name}`, state: String(IMPORT_PART_LINKS) }], () =>
      send('/rest/v1/rpc/import_library', {
        method: 'POST',
        ...json({ import_id: importId, part, content }),
      }),
    );
    if (answer === 'unknown') return answer;
    part += 1;
    if (part === 20) [importId, part] = [randomUUID(), 0];
    return answer;
  };
}

/** Uploads, writes over and deletes files from a few bytes to half a mebibyte. */
function writeFiles({ ledger, draw }: Load, { id }: Writer, send: Send): Step {
  const mine: string[] = [];
  return async () => {
    const kind = draw.number(10);
    const name = (kind < 6 ? undefined : mine.shift()) ?? `${id}/${randomUUID()}.txt`;
    const address = `/storage/v1/object/arquivos/${name}`;
    const key = `file ${name}`;
    if (kind === 9) return ledger.attempt([{ key, state: null }], () => send(address, { method: 'DELETE' }));
    const body = Buffer.alloc(1 + draw.number(draw.chance(10) ? 524_288 : 20_000), randomUUID());
    const state = createHash('sha256').update(body).digest('hex');
    const answer = await ledger.attempt([{ key, state }], () =>
      send(address, { method: 'POST', headers: { 'content-type': 'text/plain', 'x-upsert': 'true' }, body }),
    );
    if (answer === 'acknowledged') mine.push(name);
    return answer;
  };
}

/** Opens accounts, not so fast that the limit of mails stops them. */
function signUp({ ledger }: Load, send: Send): Step {
  return async () => {
    const email = `nova-${randomUUID()}@exemplo.com.br`;
    const answer = await ledger.attempt([{ key: `account ${email}`, state: 'whole' }], async () => {
      const sent = await send('/auth/v1/signup', { method: 'POST', ...json({ email, password: PASSWORD }) });
      // Also where the mail could not be sent: the account waits for another one to be asked for.
      return sent === 'refused' ? 'unknown' : sent;
    });
    await pause(SIGN_UP_MS);
    return answer;
  };
}

const SIGN_UP_MS = 500;
