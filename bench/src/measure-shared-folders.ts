import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import type pg from 'pg';
import { WebSocket } from 'ws';
import type { BenchmarkOptions, Figure } from './benchmark.ts';
import { type AudienceMember, seedAudience } from './seed-audience.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { median, summariseLatencies } from './summarise-latencies.ts';

const SAMPLE = new URL('../data/links-sample.jsonl', import.meta.url);
const OWNERS = 5;
const FOLDERS_EACH = 10;
const LINKS_A_FOLDER = 2_000;
const MEMBERS = 500;
const TERMS = ['biblioteca', 'aplicacao', 'de', 'a', 'x', 'qqqqzz', 'documentacao de aplicacao web'];
const ROUNDS = 60;
const WRITES_A_SECOND = 5;

/**
 * Folders that others share: what they cost whoever searches fifty of them and whoever has none, and how soon five hundred members of one
 * hear of a link that is added. Plans have room for fewer members; here the limit is lifted.
 */
export async function measureSharedFolders({ isQuick }: BenchmarkOptions): Promise<readonly Figure[]> {
  const data = await createDataFolder();
  const server = await startServer(data.path);
  const database = await openServerDatabase(data.path);
  try {
    const people = await seedAudience(data.path, MEMBERS + OWNERS + 1);
    const [reader, alone] = [people[0], people[1]];
    if (!reader || !alone) throw new Error('nobody was seeded');
    await database.query(`update private.plan_limits set max_folder_members = $1 where plan = 'pro'`, [
      MEMBERS + 1,
    ]);
    const folders = await shareFolders(database, people.slice(-OWNERS), reader);
    const [place] = folders;
    if (!place) throw new Error('no folder was seeded');
    await fillOwnCategory(database, [reader, alone]);
    await inviteAll(database, place, people.slice(0, MEMBERS));
    await database.query('vacuum (analyze)');
    const figures = [
      ...(await measureSearches(server, reader, isQuick ? 5 : ROUNDS)),
      ...(await measureLists(server, { reader, alone, place }, isQuick ? 20 : 400)),
    ];
    figures.push(await measureHearing(server, people.slice(0, MEMBERS), place, isQuick ? 5 : 30));
    return figures;
  } finally {
    await database.end();
    await server.stop();
    await data.remove();
  }
}

type Place = { readonly folderId: string; readonly categoryId: string; readonly owner: AudienceMember };

/** Fifty folders of a category of two thousand links each, all of them shared with one reader. */
async function shareFolders(
  database: pg.Client,
  owners: readonly AudienceMember[],
  reader: AudienceMember,
): Promise<readonly Place[]> {
  const lines = (await readFile(SAMPLE, 'utf8')).trim().split('\n');
  await database.query('create temp table sample (n serial, title text, url text, description text)');
  await database.query(
    `insert into sample (title, url, description)
     select title, url, description from json_to_recordset($1) as link(title text, url text, description text)`,
    [`[${lines.join(',')}]`],
  );
  const places: Place[] = [];
  for (const owner of owners) {
    for (let n = 0; n < FOLDERS_EACH; n += 1) {
      const { rows } = await database.query(
        `with f as (insert into public.folders (user_id, name) values ($1, 'Turma ' || $2) returning id, user_id)
         insert into public.categories (user_id, folder_id, name) select user_id, id, 'Leituras' from f returning id, folder_id`,
        [owner.id, n],
      );
      const { id: categoryId, folder_id: folderId } = rows[0];
      await addLinks(database, owner, {
        categoryId,
        count: LINKS_A_FOLDER,
        from: places.length * LINKS_A_FOLDER,
      });
      places.push({ folderId, categoryId, owner });
    }
  }
  await database.query(
    `insert into public.folder_members (folder_id, email, role)
     select f, (select email from auth.users where id = $2), 'viewer' from unnest($1::uuid[]) f`,
    [places.slice(1).map(({ folderId }) => folderId), reader.id],
  );
  return places;
}

async function fillOwnCategory(database: pg.Client, people: readonly AudienceMember[]): Promise<void> {
  for (const person of people)
    await addLinks(database, person, { categoryId: person.categoryId, count: 500, from: 0 });
}

/** A link's parts come from three different real links. */
async function addLinks(
  database: pg.Client,
  owner: AudienceMember,
  { categoryId, count, from }: { readonly categoryId: string; readonly count: number; readonly from: number },
): Promise<void> {
  await database.query(
    `insert into public.links (user_id, category_id, title, url, description)
     select $1, $2, left(t.title, 255), u.url, left(d.description, 500)
     from generate_series($4::int + 1, $4::int + $3::int) g
     cross join (select count(*)::int as size from sample) z
     join sample t on t.n = 1 + g % z.size
     join sample u on u.n = 1 + g * 7 % z.size
     join sample d on d.n = 1 + g * 13 % z.size`,
    [owner.id, categoryId, count, from],
  );
}

async function inviteAll(
  database: pg.Client,
  { folderId }: Place,
  people: readonly AudienceMember[],
): Promise<void> {
  await database.query(
    `insert into public.folder_members (folder_id, email, role)
     select $1, u.email, 'viewer' from auth.users u where u.id = any ($2)`,
    [folderId, people.map(({ id }) => id)],
  );
}

function headersOf(server: RunningServer, { token }: AudienceMember): Record<string, string> {
  return { apikey: server.anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

async function time(url: string, init: RequestInit): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return performance.now() - startedAt;
}

/** The slowest term counts. */
async function measureSearches(
  server: RunningServer,
  reader: AudienceMember,
  rounds: number,
): Promise<Figure[]> {
  const headers = headersOf(server, reader);
  const worst = { term: '', p50: 0, p95: 0 };
  for (const term of TERMS) {
    const samples: number[] = [];
    for (let round = -2; round < rounds; round += 1) {
      const body = JSON.stringify({ term, max_results: 10 });
      const taken = await time(`${server.url}/rest/v1/rpc/search_received_links`, {
        method: 'POST',
        headers,
        body,
      });
      if (round >= 0) samples.push(taken);
    }
    const { p50, p95 } = summariseLatencies(samples);
    if (p95 > worst.p95) Object.assign(worst, { term, p50, p95 });
  }
  return [
    {
      name: `search what others share: ${OWNERS * FOLDERS_EACH} folders of ${LINKS_A_FOLDER} links (worst term)`,
      value: `p95 ${worst.p95.toFixed(1)} ms, p50 ${worst.p50.toFixed(1)} ms ('${worst.term}')`,
      goal: 'p95 < 35 ms',
      met: worst.p95 < 35,
    },
  ];
}

/** A list of fifty of one's own, by whoever has no shares and by whoever has fifty; and of a shared folder. In turn. */
async function measureLists(
  server: RunningServer,
  {
    reader,
    alone,
    place,
  }: { readonly reader: AudienceMember; readonly alone: AudienceMember; readonly place: Place },
  rounds: number,
): Promise<Figure[]> {
  const list = (categoryId: string, who: AudienceMember) =>
    time(`${server.url}/rest/v1/links?category_id=eq.${categoryId}&order=created_at.desc&limit=50`, {
      headers: headersOf(server, who),
    });
  const taken = { alone: [] as number[], own: [] as number[], shared: [] as number[] };
  for (let round = -10; round < rounds; round += 1) {
    const times = {
      alone: await list(alone.categoryId, alone),
      own: await list(reader.categoryId, reader),
      shared: await list(place.categoryId, reader),
    };
    if (round < 0) continue;
    for (const name of ['alone', 'own', 'shared'] as const) taken[name].push(times[name]);
  }
  const base = median(taken.alone);
  const ratio = (samples: readonly number[]) => `×${(median(samples) / base).toFixed(2)}`;
  return [
    {
      name: 'list of 50 with 50 shared folders ÷ without any: of one’s own, of a shared one',
      value: `${ratio(taken.own)}, ${ratio(taken.shared)} (${base.toFixed(1)} ms)`,
    },
  ];
}

/** From the commit of an added link to the screens of all members. */
async function measureHearing(
  server: RunningServer,
  members: readonly AudienceMember[],
  { categoryId, owner }: Place,
  seconds: number,
): Promise<Figure> {
  const heard: number[] = [];
  const sockets = await Promise.all(
    members.map((member) => listen(server, member, categoryId, (latency) => heard.push(latency))),
  );
  const writes = seconds * WRITES_A_SECOND;
  try {
    for (let n = 0; n < writes; n += 1) {
      const body = JSON.stringify({
        title: `Aviso ${n}`,
        url: `https://exemplo.com.br/${n}`,
        category_id: categoryId,
      });
      await time(`${server.url}/rest/v1/links`, { method: 'POST', headers: headersOf(server, owner), body });
      await pause(1000 / WRITES_A_SECOND);
    }
    for (let waited = 0; heard.length < writes * members.length && waited < 100; waited += 1)
      await pause(100);
  } finally {
    for (const socket of sockets) socket.terminate();
  }
  const missing = writes * members.length - heard.length;
  const { p50, p95, max } = summariseLatencies(heard);
  return {
    name: `realtime, ${members.length} members of one folder: commit of a link to all screens, p50 / p95 / slowest`,
    value: `${p50} / ${p95} / ${max} ms (${missing} missing)`,
    goal: 'p95 < 100 ms, none missing',
    met: p95 < 100 && missing === 0,
  };
}

/** Resolves when the subscription is live. */
async function listen(
  server: RunningServer,
  { token }: AudienceMember,
  categoryId: string,
  hear: (latency: number) => void,
): Promise<WebSocket> {
  const address = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.anonKey}&vsn=2.0.0`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  await once(socket, 'open');
  const config = {
    postgres_changes: [
      { event: '*', schema: 'public', table: 'links', filter: `category_id=eq.${categoryId}` },
    ],
  };
  socket.send(JSON.stringify(['1', '1', 'realtime:folder', 'phx_join', { config, access_token: token }]));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on('message', (raw) => {
    const now = Date.now();
    const [, , , event, payload] = JSON.parse(raw.toString());
    if (event === 'postgres_changes') hear(now - Date.parse(payload.data.commit_timestamp));
    else if (event === 'system' && payload.status === 'ok') resolve();
    else if (event === 'system' || payload.status === 'error') reject(new Error(JSON.stringify(payload)));
  });
  await promise;
  return socket;
}
