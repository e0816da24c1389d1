import { expect, test } from 'vitest';
import { createDatabase } from '../session/database.ts';
import { createPlace, listPlaces } from './library.ts';

const INSTALLATION = {
  origin: 'https://a.example',
  servicesUrl: 'https://a.example',
  anonKey: 'anon',
  clientId: null,
};

/** A service with a library of one's own, and what else it says of folders that others share. */
function serve(received: { readonly status: number; readonly body: unknown }) {
  const request: typeof fetch = async (input) => {
    const url = new URL(String(input));
    const name = url.pathname.split('/').at(-1);
    if (name === 'received_folders') return Response.json(received.body, { status: received.status });
    if (name === 'inboxes') return Response.json([{ category_id: 'entrada' }]);
    if (name === 'folders') return Response.json([{ id: 'f', name: 'Minha' }]);
    if (url.searchParams.has('folder_id'))
      return Response.json([
        { id: 'tortas', name: 'Tortas', folder_id: 'dela' },
        { id: 'bolos', name: 'Bolos', folder_id: 'dela' },
      ]);
    return Response.json([
      { id: 'z', name: 'Zoo', folder_id: 'f' },
      { id: 'entrada', name: 'Entrada', folder_id: 'f' },
    ]);
  };
  return createDatabase(INSTALLATION, async () => 'token', request);
}

const folder = (may_write: boolean) => ({
  folder_id: 'dela',
  name: 'Cozinha',
  owner_id: 'dona',
  owner_name: 'Dona',
  role: 'editor',
  may_write,
  shared_at: '2026-01-01T00:00:00Z',
});
const own = [
  { id: 'entrada', name: 'Entrada', folder: 'Minha', folderId: 'f', isInbox: true, ownerId: null },
  { id: 'z', name: 'Zoo', folder: 'Minha', folderId: 'f', isInbox: false, ownerId: null },
];

test('one’s own categories come first, then those of shared folders in which one may write', async () => {
  const theirs = { folder: 'Cozinha · Dona', folderId: 'dela', isInbox: false, ownerId: 'dona' };
  expect(await listPlaces(serve({ status: 200, body: [folder(true)] }), 'ana')).toEqual([
    ...own,
    { id: 'bolos', name: 'Bolos', ...theirs },
    { id: 'tortas', name: 'Tortas', ...theirs },
  ]);
});

test.each([
  ['where one only looks on', { status: 200, body: [folder(false)] }],
  ['where nobody shares anything', { status: 200, body: [] }],
  ['of an installation that knows no shared folders', { status: 404, body: { code: 'PGRST202' } }],
])('there are no others %s', async (_case, received) => {
  expect(await listPlaces(serve(received), 'ana')).toEqual(own);
});

test('a failure is no answer', async () => {
  await expect(
    listPlaces(serve({ status: 500, body: { code: 'XX000', message: 'x' } }), 'ana'),
  ).rejects.toMatchObject({ code: 'XX000' });
});

test('of more categories than one answer has, all are listed, the inbox too', async () => {
  const all = Array.from({ length: 1_201 }, (_, n) => ({ id: `c${n}`, name: `C${n}`, folder_id: 'f' }));
  const request: typeof fetch = async (input) => {
    const { pathname, searchParams } = new URL(String(input));
    const name = pathname.split('/').at(-1);
    if (name === 'received_folders') return Response.json([]);
    if (name === 'inboxes') return Response.json([{ category_id: 'c1200' }]);
    if (name === 'folders') return Response.json([{ id: 'f', name: 'Minha' }]);
    const from = Number(searchParams.get('offset') ?? 0);
    return Response.json(all.slice(from, from + Math.min(Number(searchParams.get('limit') ?? 1_000), 1_000)));
  };
  const places = await listPlaces(
    createDatabase(INSTALLATION, async () => 'token', request),
    'ana',
  );
  expect(places).toHaveLength(1_201);
  expect(places[0]).toMatchObject({ id: 'c1200', folder: 'Minha', isInbox: true });
});

test('a category whose answer was lost is made once', async () => {
  const sent: { readonly id: string }[] = [];
  const request: typeof fetch = async (_input, init) => {
    sent.push(JSON.parse(String(init?.body)));
    if (sent.length === 1) throw new TypeError('Failed to fetch');
    if (sent.length > 2) return new Response(null, { status: 201 });
    const message = 'duplicate key value violates unique constraint "categories_pkey"';
    return Response.json({ code: '23505', message }, { status: 409 });
  };
  const database = createDatabase(INSTALLATION, async () => 'token', request);
  const beside = { id: 'z', name: 'Zoo', folder: 'Minha', folderId: 'f', isInbox: false, ownerId: null };
  const create = () => createPlace(database, 'ana', 'Cafés', beside);
  await expect(create()).rejects.toMatchObject({ message: expect.stringContaining('Failed to fetch') });
  const made = await create();
  expect(made).toEqual({ ...beside, id: made.id, name: 'Cafés' });
  expect(sent.map(({ id }) => id)).toEqual([made.id, made.id]);
  expect((await create()).id).not.toBe(made.id);
});
