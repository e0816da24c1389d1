import { openServerDatabase, type ServerDatabase } from '@linkoteca/server-process/open-server-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createSamples } from './support/create-samples.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { joinChannel, joinForChanges } from './support/join-channel.ts';
import { createListener, type Listener, PUBLISHED_CLIENTS } from './support/realtime-clients.ts';
import { receiveChanges, SOON } from './support/receive-changes.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
const SAMPLES = 'realtime_samples';

let database: ServerDatabase;
let dropSamples: () => Promise<void>;
let owner: Person;
let stranger: Person;
let owned: Shelf;
let strange: Shelf;
beforeAll(async () => {
  database = await openServerDatabase(deployment.dataFolder);
  dropSamples = await createSamples(database, SAMPLES);
  [owner, stranger] = await Promise.all([
    createPerson(deployment, { plan: 'pro' }),
    createPerson(deployment, { plan: 'pro' }),
  ]);
  [owned, strange] = await Promise.all([createShelf(owner), createShelf(stranger)]);
});
afterAll(async () => {
  await dropSamples();
  await database.end();
});

async function addLink(person: Person, { categoryId }: Shelf, title: string): Promise<string> {
  const { data, error } = await person.client
    .from('links')
    .insert({ title, url: 'https://example.com', category_id: categoryId, user_id: person.id })
    .select('id')
    .single();
  return required(data, error).id;
}

/** A row that a listener will hear of: whatever was to come before it has come by then. */
async function addSample(person: Person, columns: Record<string, unknown> = {}): Promise<number> {
  const names = ['owner', ...Object.keys(columns)];
  const { rows } = await database.query(
    `insert into public.${SAMPLES} (${names}) values (${names.map((_, index) => `$${index + 1}`)}) returning id::int`,
    [person.id, ...Object.values(columns)],
  );
  return rows[0].id;
}

const tokenOf = async (person: Person) =>
  required((await person.client.auth.getSession()).data.session).access_token;

describe.each(PUBLISHED_CLIENTS)('with the client $version, a listener', (published) => {
  let mine: Listener;
  let theirs: Listener;
  let visitor: Listener;
  beforeAll(async () => {
    mine = await createListener(deployment, published, await tokenOf(owner));
    theirs = await createListener(deployment, published, await tokenOf(stranger));
    visitor = await createListener(deployment, published);
  });
  afterAll(() => Promise.all([mine, theirs, visitor].map((listener) => listener.close())));

  test('hears what happens to one’s own link, whole, and nobody else does', async () => {
    const channel = mine.client.channel('ligacoes');
    const heard = receiveChanges(channel, { table: 'links', filter: `user_id=eq.${owner.id}` });
    const strangers = theirs.client.channel('ligacoes');
    const heardByStranger = receiveChanges(strangers, { table: 'links' });
    const visitors = visitor.client.channel('ligacoes');
    const heardByVisitor = receiveChanges(visitors, { table: 'links' });
    await Promise.all([channel, strangers, visitors].map(joinForChanges));

    const id = await addLink(owner, owned, 'Antes');
    await owner.client.from('links').update({ title: 'Depois' }).eq('id', id);
    await owner.client.from('links').delete().eq('id', id);
    await expect
      .poll(() => heard.map(({ eventType }) => eventType), SOON)
      .toEqual(['INSERT', 'UPDATE', 'DELETE']);
    const [inserted, updated, removed] = heard;
    expect(inserted).toMatchObject({
      schema: 'public',
      table: 'links',
      errors: null,
      new: {
        id,
        title: 'Antes',
        url: 'https://example.com',
        category_id: owned.categoryId,
        description: null,
      },
      old: {},
    });
    expect(Math.abs(Date.parse(required(inserted).commit_timestamp) - Date.now())).toBeLessThan(60_000);
    expect(updated).toMatchObject({ new: { id, title: 'Depois' }, old: { id, title: 'Antes' } });
    expect(removed).toMatchObject({ new: {}, old: { id, title: 'Depois', user_id: owner.id } });

    const last = await addLink(stranger, strange, 'Meu');
    await expect.poll(() => heardByStranger.at(-1)?.new, SOON).toMatchObject({ id: last });
    expect(heardByStranger).toHaveLength(1);
    expect(JSON.stringify(heardByVisitor)).not.toMatch(/Antes|Depois|Meu/);
    expect(heard).toHaveLength(3);
  });

  test('hears of several tables and events on one channel, each by its own handler', async () => {
    const channel = mine.client.channel('varias');
    const folders = receiveChanges(channel, { event: 'INSERT', table: 'folders' });
    const renames = receiveChanges(channel, { event: 'UPDATE', table: 'categories' });
    const inserts = receiveChanges(channel, { event: 'INSERT', table: 'links' });
    const all = receiveChanges(channel, { table: 'links' });
    await joinForChanges(channel);
    const shelf = await createShelf(owner, `Outra ${published.version}`);
    await owner.client.from('categories').update({ name: 'Renomeada' }).eq('id', shelf.categoryId);
    const link = await addLink(owner, shelf, 'Uma');
    await owner.client.from('links').delete().eq('id', link);
    await expect.poll(() => all.map(({ eventType }) => eventType), SOON).toEqual(['INSERT', 'DELETE']);
    expect(folders.map((change) => change.new)).toMatchObject([
      { id: shelf.folderId, name: `Outra ${published.version}` },
    ]);
    expect(renames.map((change) => change.new)).toMatchObject([{ id: shelf.categoryId, name: 'Renomeada' }]);
    expect(inserts.map((change) => change.new)).toMatchObject([{ id: link }]);
  });

  test('hears of every table of a schema, and of every schema', async () => {
    const channel = mine.client.channel('curingas');
    const ofSchema = receiveChanges(channel, { table: '*' });
    const ofAll = receiveChanges(channel, { schema: '*', event: 'INSERT' });
    await joinForChanges(channel);
    const { folderId } = await createShelf(owner, `Curinga ${published.version}`);
    await addLink(stranger, strange, 'Alheia');
    const id = await addSample(owner, { name: 'última' });
    await expect.poll(() => ofAll.at(-1)?.new, SOON).toMatchObject({ id });
    for (const heard of [ofSchema, ofAll]) {
      const tables = heard.filter(({ eventType }) => eventType === 'INSERT').map(({ table }) => table);
      expect(tables).toEqual(expect.arrayContaining(['folders', 'categories', SAMPLES]));
      expect(JSON.stringify(heard)).toContain(folderId);
      expect(JSON.stringify(heard)).not.toContain('Alheia');
    }
  });

  test.each([
    ['size=eq.2', [2]],
    ['size=neq.2', [1, 3, 4]],
    ['size=lt.2', [1]],
    ['size=lte.2', [1, 2]],
    ['size=gt.3', [4]],
    ['size=gte.3', [3, 4]],
    ['size=in.(1,4)', [1, 4]],
    ['name=like.b%', [2]],
    ['name=ilike.B%', [2]],
    ['name=is.null', [4]],
    ['name=match.^[ab]', [1, 2]],
    ['size=not.in.(1,4)', [2, 3]],
    ['size=gt.1,size=lt.4', [2, 3]],
    ['is_done=is.true', [1]],
    ['name=eq."c,d"', [3]],
  ])('with the filter %s hears just what matches', async (filter, expected) => {
    const channel = mine.client.channel(`filtro ${filter}`);
    const heard = receiveChanges(channel, { event: 'INSERT', table: SAMPLES, filter });
    const last = receiveChanges(channel, { event: 'INSERT', table: SAMPLES, filter: 'kind=not.is.null' });
    await joinForChanges(channel);
    const ids = [
      await addSample(owner, { size: 1, name: 'a', is_done: true }),
      await addSample(owner, { size: 2, name: 'b', is_done: false }),
      await addSample(owner, { size: 3, name: 'c,d', is_done: false }),
      await addSample(owner, { size: 4, name: null, is_done: null }),
    ];
    const end = await addSample(owner, { size: null, kind: '00000000-0000-0000-0000-000000000001' });
    await expect.poll(() => last.map((change) => (change.new as { id: unknown }).id), SOON).toContain(end);
    // Rows of the test before may still come where the log was late.
    const own = heard
      .map((change) => change.new as { id: number; size: number })
      .filter(({ id }) => ids.includes(id));
    expect(own.map(({ size }) => size)).toEqual(expected);
    await mine.client.removeChannel(channel);
  });

  test('receives each type as the table protocol would deliver it', async () => {
    const channel = mine.client.channel('tipos');
    const heard = receiveChanges(channel, { table: SAMPLES });
    await joinForChanges(channel);
    const id = await addSample(owner, {
      name: 'Ação "✓" \\ 🗂️\n',
      size: -7,
      weight: '12.5',
      ratio: 0.1,
      is_done: false,
      kind: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
      day: '2026-02-28',
      at: '2026-02-28T12:34:56.789+03:00',
      local_at: '2026-02-28T12:34:56.789',
      tags: ['um', 'dois, três', null],
      sizes: [1, 2, 3],
      extra: JSON.stringify({ a: [1, { b: null }], c: 'ç' }),
      bytes: Buffer.from([0, 255, 10]),
      span: '[1,5)',
    });
    await expect.poll(() => heard.length, SOON).toBe(1);
    const { rows } = await database.query(
      `select to_jsonb(sample) - 'secret' as row from public.${SAMPLES} sample where id = $1`,
      [id],
    );
    const { sizes, tags, ...row } = rows[0].row;
    expect(heard[0]?.new).toMatchObject(row);
    expect(heard[0]?.new).toMatchObject({ sizes, tags });
    // Nobody may read this column, so nobody is told of it either.
    expect(heard[0]?.new).not.toHaveProperty('secret');
    expect(JSON.stringify(heard)).not.toContain('segredo');
  });

  test('is told each row once and in the order of the commits', async () => {
    const channel = mine.client.channel('ordem');
    const heard = receiveChanges(channel, { event: 'INSERT', table: SAMPLES, filter: 'ratio=eq.0.25' });
    await joinForChanges(channel);
    await database.query(
      `insert into public.${SAMPLES} (owner, size, ratio) select $1, n, 0.25 from generate_series(1, 300) n`,
      [owner.id],
    );
    for (let size = 301; size <= 320; size += 1) await addSample(owner, { size, ratio: 0.25 });
    await expect.poll(() => heard.length, SOON).toBe(320);
    expect(heard.map((change) => (change.new as { size: number }).size)).toEqual(
      Array.from({ length: 320 }, (_, index) => index + 1),
    );
  });

  test('hears nothing of a transaction that was rolled back', async () => {
    const channel = mine.client.channel('desfeita');
    const heard = receiveChanges(channel, { table: SAMPLES });
    await joinForChanges(channel);
    await database.query('begin');
    await addSample(owner, { name: 'desfeita' });
    await database.query('rollback');
    const id = await addSample(owner, { name: 'feita' });
    await expect.poll(() => heard.at(-1)?.new, SOON).toMatchObject({ id });
    expect(heard).toHaveLength(1);
  });

  test('hears no more of a row that passed to somebody else, and the new owner does', async () => {
    const [channel, strangers] = [mine.client.channel('passagem'), theirs.client.channel('passagem')];
    const heard = receiveChanges(channel, { table: SAMPLES });
    const heardByStranger = receiveChanges(strangers, { table: SAMPLES });
    await Promise.all([joinForChanges(channel), joinForChanges(strangers)]);
    const id = await addSample(owner, { name: 'minha' });
    await database.query(`update public.${SAMPLES} set owner = $1, name = 'dela' where id = $2`, [
      stranger.id,
      id,
    ]);
    await database.query(`delete from public.${SAMPLES} where id = $1`, [id]);
    const last = await addSample(owner, { name: 'fim' });
    await expect.poll(() => heard.at(-1)?.new, SOON).toMatchObject({ id: last });
    expect(JSON.stringify(heard)).not.toContain('dela');
    await expect
      .poll(() => heardByStranger.map(({ eventType }) => eventType), SOON)
      .toEqual(['UPDATE', 'DELETE']);
    // The old row was not the new owner's to see.
    expect(JSON.stringify(heardByStranger)).not.toContain('minha');
  });

  test('is told that a row is too large, and receives the rest of it', async () => {
    const channel = mine.client.channel('grande');
    const heard = receiveChanges(channel, { table: SAMPLES });
    await joinForChanges(channel);
    const id = await addSample(owner, { size: 5, name: 'x'.repeat(1_200_000) });
    await expect.poll(() => heard.length, SOON).toBe(1);
    expect(heard[0]).toMatchObject({ new: { id, size: 5 }, errors: ['Error 413: Payload Too Large'] });
    expect(JSON.stringify(heard).length).toBeLessThan(10_000);
  });

  test.each([
    ['an unknown column', { table: SAMPLES, filter: 'nada=eq.1' }],
    ['a column nobody may read', { table: SAMPLES, filter: 'secret=eq.segredo' }],
    ['an unknown operator', { table: SAMPLES, filter: 'size=quase.1' }],
    ['a value of another type', { table: SAMPLES, filter: 'size=eq.grande' }],
    ['no filter at all', { table: SAMPLES, filter: 'nada' }],
    ['SQL', { table: SAMPLES, filter: "name=eq.'); drop table links; --", event: 'NADA' as '*' }],
    ['an unknown table', { table: 'nao_existe' }],
  ])('is told when a filter asks for %s, and hears nothing through it', async (_what, filter) => {
    const channel = mine.client.channel(`recusa ${_what}`);
    const heard = receiveChanges(channel, filter);
    await expect(joinForChanges(channel)).rejects.toThrow(/\S/);
    await addSample(owner, { size: 1 });
    expect(heard).toEqual([]);
    await mine.client.removeChannel(channel);
  });

  test('hears nothing more once the channel is removed, while its neighbours go on', async () => {
    const [gone, stays] = [mine.client.channel('sai'), mine.client.channel('fica')];
    const [heardBefore, heard] = [
      receiveChanges(gone, { table: SAMPLES }),
      receiveChanges(stays, { table: SAMPLES }),
    ];
    await Promise.all([joinForChanges(gone), joinForChanges(stays)]);
    expect(await mine.client.removeChannel(gone)).toBe('ok');
    // What was added by an earlier test may have been heard by then.
    const heardAtRemoval = heardBefore.length;
    const id = await addSample(owner);
    await expect.poll(() => heard.at(-1)?.new, SOON).toMatchObject({ id });
    expect(heardBefore).toHaveLength(heardAtRemoval);
    const again = mine.client.channel('sai');
    const heardAgain = receiveChanges(again, { table: SAMPLES });
    await joinForChanges(again);
    const second = await addSample(owner);
    await expect.poll(() => heardAgain.at(-1)?.new, SOON).toMatchObject({ id: second });
  });

  test('follows the person when the access token changes hands', async () => {
    const listener = await createListener(deployment, published, await tokenOf(owner));
    const channel = listener.client.channel('troca');
    const heard = receiveChanges(channel, { table: SAMPLES });
    const { systems } = await joinForChanges(channel);
    const before = systems.length;
    await listener.renew(await tokenOf(stranger));
    await expect.poll(() => systems.length, SOON).toBeGreaterThan(before);
    expect(systems.at(-1)).toMatchObject({ extension: 'postgres_changes', status: 'ok' });
    await addSample(owner, { name: 'antiga' });
    const id = await addSample(stranger, { name: 'nova' });
    await expect.poll(() => heard.at(-1)?.new, SOON).toMatchObject({ id });
    expect(heard).toHaveLength(1);
    await listener.close();
  });
});

describe('today’s client', () => {
  const [published] = PUBLISHED_CLIENTS;
  let mine: Listener;
  beforeAll(async () => {
    mine = await createListener(deployment, published, await tokenOf(owner));
  });
  afterAll(() => mine.close());

  test('receives only the columns it selects', async () => {
    const channel = mine.client.channel('colunas');
    const heard = receiveChanges(channel, { table: SAMPLES, select: ['id', 'name'] });
    await joinForChanges(channel);
    const id = await addSample(owner, { name: 'duas', size: 3 });
    await expect.poll(() => heard.length, SOON).toBe(1);
    expect(heard[0]?.new).toEqual({ id, name: 'duas' });
  });

  test('that asks to wait is subscribed only when changes are live', async () => {
    const channel = mine.client.channel('espera', { config: { postgres_changes_options: { wait: true } } });
    const heard = receiveChanges(channel, { table: SAMPLES });
    await joinChannel(channel);
    const id = await addSample(owner);
    await expect.poll(() => heard.map((change) => change.new), SOON).toMatchObject([{ id }]);
  });

  test('that asks to wait for what cannot be is refused', async () => {
    const channel = mine.client.channel('espera em vão', {
      config: { postgres_changes_options: { wait: true, timeout: 2_000 } },
    });
    receiveChanges(channel, { table: 'nao_existe' });
    await expect(joinChannel(channel)).rejects.toThrow(/\S/);
    await mine.client.removeChannel(channel);
  });

  test('may ask to be told when the feed stands', async () => {
    const channel = mine.client.channel('pronta', { config: { broadcast: { replication_ready: true } } });
    const { systems } = await joinChannel(channel);
    await expect
      .poll(() => systems, SOON)
      .toContainEqual(
        expect.objectContaining({
          extension: 'system',
          status: 'ok',
          message: 'Replication connection established',
          channel: 'pronta',
        }),
      );
  });
});
