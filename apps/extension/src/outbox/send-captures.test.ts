import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createDatabase } from '../session/database.ts';
import { type Connection, ownerOf } from '../session/session-store.ts';
import type { Capture } from './capture.ts';
import { changeCapture } from './change-capture.ts';
import { retryRefused } from './outbox.ts';
import {
  addCaptures,
  changeCaptures,
  listCaptures,
  MOST_WAITING,
  OutboxFull,
  removeCaptures,
} from './outbox-store.ts';
import { sendCaptures } from './send-captures.ts';

const INSTALLATION = {
  origin: 'https://a.example',
  servicesUrl: 'https://a.example',
  anonKey: 'anon',
  clientId: null,
};
const CONNECTION: Connection = {
  installation: INSTALLATION,
  session: { kind: 'token', userId: 'ana', accessToken: 'token' },
  hasEnded: false,
};
const OWNER = ownerOf(CONNECTION);

let count = 0;
const make = (more: Partial<Capture> = {}): Capture => {
  count += 1;
  const title = `Página ${count}`;
  return {
    id: `id-${count}`,
    url: `https://b.example/${count}`,
    title,
    description: null,
    categoryId: null,
    tags: [],
    ...more,
  };
};

type Call = { readonly name: string; readonly body: Record<string, unknown> };
type Reply = { readonly status: number; readonly body: unknown } | 'no network';

/** The services: what they are asked, and what they answer. */
function serve(answer: (call: Call) => Reply) {
  const calls: Call[] = [];
  const request: typeof fetch = async (input, init) => {
    const call = { name: String(input).split('/').at(-1) ?? '', body: JSON.parse(String(init?.body)) };
    calls.push(call);
    const reply = answer(call);
    if (reply === 'no network') throw new TypeError('Failed to fetch');
    return Response.json(reply.body, { status: reply.status });
  };
  const sender = (isConnected = true) => ({
    database: createDatabase(INSTALLATION, async () => 'token', request),
    owner: OWNER,
    isConnected: async () => isConnected,
  });
  return { calls, sender };
}

const OK: Reply = { status: 200, body: 'category' };
const refuse = (status: number, body: object): Reply => ({ status, body });
const left = async () =>
  (await listCaptures(OWNER)).map(({ title, refusal }) => [title, refusal?.kind ?? null]);

beforeEach(async () => {
  count = 0;
  const all = await listCaptures(OWNER);
  await removeCaptures(
    OWNER,
    all.map(({ place }) => place),
  );
});

describe('what waits', () => {
  test('is sent once each, in order, and leaves', async () => {
    const { calls, sender } = serve(() => OK);
    await addCaptures(OWNER, [make({ description: 'Nota' }), make({ categoryId: 'c' })]);
    await addCaptures(OWNER, [make()]);
    expect(await Promise.all([sendCaptures(sender()), sendCaptures(sender())])).toEqual(['done', 'done']);
    expect(calls.map(({ body }) => body)).toEqual([
      { id: 'id-1', url: 'https://b.example/1', title: 'Página 1', description: 'Nota' },
      { id: 'id-2', url: 'https://b.example/2', title: 'Página 2', category_id: 'c' },
      { id: 'id-3', url: 'https://b.example/3', title: 'Página 3' },
    ]);
    expect(await left()).toEqual([]);
  });

  test('stays under the same id when its answer is lost, and what is behind it waits', async () => {
    let isAway = true;
    const { calls, sender } = serve(() => (isAway ? 'no network' : OK));
    await addCaptures(OWNER, [make(), make()]);
    expect(await sendCaptures(sender())).toBe('away');
    expect(await left()).toEqual([
      ['Página 1', null],
      ['Página 2', null],
    ]);
    isAway = false;
    expect(await sendCaptures(sender())).toBe('done');
    expect(calls.map(({ body }) => body['id'])).toEqual(['id-1', 'id-1', 'id-2']);
  });

  test('is nobody else’s to send', async () => {
    const { calls, sender } = serve(() => OK);
    await addCaptures(`${OWNER}-maria`, [make()]);
    await sendCaptures(sender());
    expect(calls).toEqual([]);
    expect(await listCaptures(`${OWNER}-maria`)).toHaveLength(1);
  });

  test('gets its tags, and keeps waiting for them where the network goes in between', async () => {
    let isAway = true;
    const { calls, sender } = serve(({ name }) => (name === 'tag_links' && isAway ? 'no network' : OK));
    await addCaptures(OWNER, [make({ tags: ['café'] })]);
    expect(await sendCaptures(sender())).toBe('away');
    isAway = false;
    expect(await sendCaptures(sender())).toBe('done');
    expect(calls.map(({ name }) => name)).toEqual(['capture_link', 'tag_links', 'capture_link', 'tag_links']);
    expect(calls.at(-1)?.body).toEqual({ link_ids: ['id-1'], added: ['café'], removed: [] });
  });

  test('loses a tag that is taken off after it arrived, and whose answer was lost', async () => {
    let isAway = true;
    const { calls, sender } = serve(({ name }) => (name === 'tag_links' && isAway ? 'no network' : OK));
    await addCaptures(OWNER, [make({ tags: ['café'] })]);
    expect(await sendCaptures(sender())).toBe('away');
    await changeCapture(CONNECTION, 'id-1', { removedTags: ['café'] });
    isAway = false;
    expect(await sendCaptures(sender())).toBe('done');
    expect(calls.filter(({ name }) => name === 'tag_links').map(({ body }) => body)).toEqual([
      { link_ids: ['id-1'], added: ['café'], removed: [] },
      { link_ids: ['id-1'], added: [], removed: ['café'] },
    ]);
  });

  test('keeps a tag that is taken off and given again', async () => {
    const { calls, sender } = serve(() => OK);
    await addCaptures(OWNER, [make({ tags: ['café'] })]);
    await changeCapture(CONNECTION, 'id-1', { removedTags: ['café', 'chá'] });
    await changeCapture(CONNECTION, 'id-1', { addedTags: ['café'] });
    await sendCaptures(sender());
    expect(calls.at(-1)?.body).toEqual({ link_ids: ['id-1'], added: ['café'], removed: ['chá'] });
  });

  test('that was changed is saved as it is now, also where it was saved before and nobody heard of it', async () => {
    const { calls, sender } = serve(() => OK);
    await addCaptures(OWNER, [make()]);
    const [waiting] = await listCaptures(OWNER);
    const place = waiting?.place ?? 0;
    await changeCaptures(OWNER, [place], { description: 'Nota', refusal: null, isChanged: true });
    expect(await sendCaptures(sender())).toBe('done');
    expect(calls.map(({ name, body }) => [name, body['description']])).toEqual([
      ['capture_link', 'Nota'],
      ['links?id=eq.id-1', 'Nota'],
    ]);
  });

  test('is no more than there is room for', async () => {
    await addCaptures(
      OWNER,
      Array.from({ length: MOST_WAITING }, () => make()),
    );
    await expect(addCaptures(OWNER, [make()])).rejects.toThrow(OutboxFull);
    expect(await left()).toHaveLength(MOST_WAITING);
  });

  test('and is taken out while it is sent takes nothing with it that came after', async () => {
    const sent: string[] = [];
    const request: typeof fetch = async (_input, init) => {
      sent.push(JSON.parse(String(init?.body)).id);
      if (sent.length === 1) {
        const all = await listCaptures(OWNER);
        await removeCaptures(
          OWNER,
          all.map(({ place }) => place),
        );
        await addCaptures(OWNER, [make()]);
      }
      return Response.json('category');
    };
    await addCaptures(OWNER, [make()]);
    const database = createDatabase(INSTALLATION, async () => 'token', request);
    await sendCaptures({ database, owner: OWNER, isConnected: async () => true });
    expect(sent).toEqual(['id-1', 'id-2']);
  });
});

test('a capture that has gone leaves its place to no other', async () => {
  await addCaptures(OWNER, [make()]);
  const [gone] = await listCaptures(OWNER);
  const places = [gone?.place ?? 0];
  await removeCaptures(OWNER, places);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000);
  await addCaptures(OWNER, [make()]);
  await changeCaptures(OWNER, places, { refusal: { kind: 'signed_out' } });
  await removeCaptures(OWNER, places);
  expect((await listCaptures(OWNER)).map(({ refusal }) => refusal)).toEqual([null]);
});

describe('a refusal', () => {
  const FULL = refuse(400, { code: 'P0001', hint: 'plan_limit_links', details: '{"max":20}', message: '' });
  const NO_INBOX = refuse(400, { code: 'P0001', hint: 'plan_limit_categories', details: '', message: '' });
  const GONE = refuse(404, { code: 'PT404', message: 'Categoria não encontrada' });
  const LONG = refuse(400, { code: '23514', message: 'O título é longo demais' });
  const NOBODY = refuse(401, { code: 'PGRST301', message: 'JWT expired' });
  const STRANGER = refuse(403, { code: '42501', message: 'Você precisa estar logado' });

  test('by the full plan of whoever shares a folder holds up what goes into that folder alone', async () => {
    const { calls, sender } = serve(({ body }) => (body['category_id'] === undefined ? OK : FULL));
    const inside = { categoryId: 'c', sharedFolderId: 'f' };
    await addCaptures(OWNER, [make(inside), make(), make({ ...inside, categoryId: 'd' })]);
    await sendCaptures(sender());
    expect(calls.map(({ body }) => body['id'])).toEqual(['id-1', 'id-2']);
    expect(await left()).toEqual([
      ['Página 1', 'folder_full'],
      ['Página 3', 'folder_full'],
    ]);
  });

  test.each([
    ['a full plan', FULL, true, ['link_limit', 'link_limit', 'link_limit']],
    ['no room for the inbox', NO_INBOX, true, ['category_limit', 'category_limit', 'saved']],
    ['a lost connection', NOBODY, false, ['signed_out', 'signed_out', 'signed_out']],
    ['a connection that may not save', STRANGER, true, ['not_allowed', 'not_allowed', 'not_allowed']],
    ['a text that does not fit', LONG, true, ['invalid', 'saved', 'saved']],
  ])('by %s holds up those alone who would hear the same', async (_name, reply, isConnected, kinds) => {
    const first = make();
    const { sender } = serve(({ body }) =>
      body['id'] === first.id || kinds[Number(String(body['id']).slice(3)) - 1] !== 'saved' ? reply : OK,
    );
    await addCaptures(OWNER, [first, make(), make({ categoryId: 'c' })]);
    expect(await sendCaptures(sender(isConnected))).toBe('done');
    expect(await left()).toEqual(
      kinds
        .map((kind, index) => [`Página ${index + 1}`, kind] as const)
        .filter(([, kind]) => kind !== 'saved'),
    );
  });

  test('by a category that is gone concerns what was meant for it', async () => {
    const { sender } = serve(({ body }) => (body['category_id'] === 'gone' ? GONE : OK));
    await addCaptures(OWNER, [make({ categoryId: 'gone' }), make(), make({ categoryId: 'gone' })]);
    await sendCaptures(sender());
    expect(await left()).toEqual([
      ['Página 1', 'category_gone'],
      ['Página 3', 'category_gone'],
    ]);
  });

  test('by a category that is gone ends with another try, which saves into the inbox', async () => {
    const { calls, sender } = serve(({ body }) => (body['category_id'] === 'gone' ? GONE : OK));
    await addCaptures(OWNER, [make({ categoryId: 'gone', sharedFolderId: 'f' })]);
    await sendCaptures(sender());
    expect(await left()).toEqual([['Página 1', 'category_gone']]);
    await retryRefused(CONNECTION, false);
    await sendCaptures(sender());
    expect(await left()).toEqual([]);
    expect(calls.map(({ body }) => body['category_id'])).toEqual(['gone', undefined]);
  });

  test.each([429, 500, 503])('of status %i says nothing of the capture', async (status) => {
    const { sender } = serve(() => refuse(status, { message: 'later' }));
    await addCaptures(OWNER, [make()]);
    expect(await sendCaptures(sender())).toBe('away');
    expect(await left()).toEqual([['Página 1', null]]);
  });
});
