import type { Link } from '@linkoteca/domain/entities';
import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createFakeDatabase,
  type FakeAnswer,
  type FakeRequest,
} from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { flattenLinks, type LinkPages, linkPage } from '../model/link-pages.ts';
import { linkListKey } from '../model/link-rows.ts';
import { deleteLinks, PartialDeletion, useDeleteLinks } from './delete-links.ts';
import { listLinks } from './list-links.ts';
import { useUpdateLink } from './update-link.ts';

const CATEGORY = '33333333-3333-4333-8333-333333333333';
const OTHER = '44444444-4444-4444-8444-444444444444';

function link(n: number): Link {
  const created_at = new Date(Date.UTC(2025, 4, 11) - n * 60_000).toISOString();
  const title = `Link ${n}`;
  return {
    id: `id-${n}`,
    url: 'https://exemplo.com',
    title,
    description: null,
    category_id: CATEGORY,
    user_id: 'u',
    created_at,
    updated_at: created_at,
  };
}

const links = Array.from({ length: 400 }, (_, n) => link(n));
const failure: FakeAnswer = {
  status: 500,
  body: { code: 'XX000', message: 'quebrou', details: null, hint: null },
};
const undone = vi.fn();
const counted = vi.fn(async (_change: ReadonlyMap<string, number>) => ({
  undo: undone,
  settle: () => undefined,
}));

beforeEach(() => {
  undone.mockClear();
  counted.mockClear();
});

type Write<Variables> = (variables: Variables) => Promise<unknown>;

interface Held<Variables> {
  write: Write<Variables>;
}

interface MountProps<Variables> {
  readonly useWrite: () => { mutateAsync: Write<Variables> };
  readonly held: Held<Variables>;
}

function Mount<Variables>({ useWrite, held }: MountProps<Variables>) {
  held.write = useWrite().mutateAsync;
  return null;
}

/** Mounts a hook's mutation over a list cached in CATEGORY and an empty one cached in OTHER. */
async function setUp<Variables>(
  useWrite: () => { mutateAsync: (variables: Variables) => Promise<unknown> },
  respond: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>,
) {
  const held: Held<Variables> = { write: () => Promise.reject(new Error('not mounted')) };
  const { queryClient } = await renderWithProviders(<Mount useWrite={useWrite} held={held} />, { respond });
  queryClient.setQueryData<LinkPages>(linkListKey(CATEGORY), {
    pages: [linkPage(links, 1000)],
    pageParams: [null],
  });
  queryClient.setQueryData<LinkPages>(linkListKey(OTHER), { pages: [linkPage([], 50)], pageParams: [null] });
  const titles = (categoryId: string) =>
    flattenLinks(queryClient.getQueryData<LinkPages>(linkListKey(categoryId)) ?? { pages: [] }).map(
      (each) => each.title,
    );
  return { write: (variables: Variables) => held.write(variables), titles };
}

describe('bulk deletion', () => {
  test('goes in pieces that fit an address', async () => {
    const sizes: number[] = [];
    const database = createFakeDatabase(({ query }) => {
      const list = query.get('id') ?? '';
      expect(list.length).toBeLessThan(8000);
      sizes.push(list.split(',').length);
      return { status: 200, body: null };
    });
    await deleteLinks(
      database,
      links.map((each) => each.id),
    );
    expect(sizes).toEqual([150, 150, 100]);
  });

  test('that fails at once brings everything back', async () => {
    let answer: (value: FakeAnswer) => void = () => undefined;
    const { write, titles } = await setUp(
      () => useDeleteLinks(counted),
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const removal = write(links.slice(0, 2));
    await waitFor(() => expect(titles(CATEGORY)).toHaveLength(398));
    answer(failure);
    await expect(removal).rejects.toMatchObject({ code: 'XX000' });
    expect(titles(CATEGORY)).toEqual(links.map((each) => each.title));
    expect(counted).toHaveBeenCalledExactlyOnceWith(new Map([[CATEGORY, -2]]));
    expect(undone).toHaveBeenCalledTimes(1);
  });

  test('that stops on its way keeps what really went away', async () => {
    let calls = 0;
    const { write, titles } = await setUp(
      () => useDeleteLinks(counted),
      () => {
        calls += 1;
        return calls === 1 ? { body: null } : failure;
      },
    );
    await expect(write(links)).rejects.toBeInstanceOf(PartialDeletion);
    await waitFor(() => expect(titles(CATEGORY)).toEqual(links.slice(150).map((each) => each.title)));
    expect(undone).toHaveBeenCalledTimes(1);
    expect(counted).toHaveBeenLastCalledWith(new Map([[CATEGORY, -150]]));
  });
});

describe('moving a link to another category', () => {
  const before = link(1);
  const change = { url: before.url, title: 'Mudou', description: null, category_id: OTHER };

  test('shows it there at once, counted in both', async () => {
    const { write, titles } = await setUp(
      () => useUpdateLink(counted),
      () => ({ body: { ...before, ...change } }),
    );
    await write({ before, change });
    expect(titles(OTHER)).toEqual(['Mudou']);
    expect(titles(CATEGORY)).not.toContain('Link 1');
    expect(counted).toHaveBeenCalledExactlyOnceWith(
      new Map([
        [CATEGORY, -1],
        [OTHER, 1],
      ]),
    );
  });

  test('that is refused puts it back where it was', async () => {
    const { write, titles } = await setUp(
      () => useUpdateLink(counted),
      () => failure,
    );
    await expect(write({ before, change })).rejects.toBeTruthy();
    expect(titles(OTHER)).toEqual([]);
    expect(titles(CATEGORY)).toEqual(links.map((each) => each.title));
    expect(undone).toHaveBeenCalledTimes(1);
  });
});

test('the next page starts after the last link of the one before, even among links of one instant', async () => {
  const requests: FakeRequest[] = [];
  const database = createFakeDatabase((request) => {
    requests.push(request);
    return { body: [] };
  });
  const cursor = { created_at: '2025-05-11T12:00:00.123456+00:00', id: 'id-9', size: 200 };
  await listLinks(database, CATEGORY, cursor, new AbortController().signal);
  const [request] = requests;
  expect(request?.query.get('category_id')).toBe(`eq.${CATEGORY}`);
  expect(request?.query.get('created_at')).toBe('lte.2025-05-11T12:00:00.123456+00:00');
  expect(request?.query.get('or')).toBe('(created_at.lt."2025-05-11T12:00:00.123456+00:00",id.lt.id-9)');
  expect(request?.query.get('order')).toBe('created_at.desc,id.desc');
  expect(request?.query.get('limit')).toBe('200');
});
