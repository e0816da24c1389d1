import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Link } from '../../../shared/lib/rows.ts';
import {
  createFakeDatabase,
  type FakeAnswer,
  type FakeRequest,
} from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { sampleLink } from '../../../shared/test/sample-rows.ts';
import { flattenLinks, type LinkPages, linkPage } from '../model/link-pages.ts';
import { linkListKey } from '../model/link-rows.ts';
import { useDeleteLinks } from './delete-links.ts';
import { listLinks } from './list-links.ts';
import { useUpdateLink } from './update-link.ts';

const CATEGORY = '33333333-3333-4333-8333-333333333333';
const OTHER = '44444444-4444-4444-8444-444444444444';

function link(n: number): Link {
  const created_at = new Date(Date.UTC(2025, 4, 11) - n * 60_000).toISOString();
  const title = `Link ${n}`;
  return sampleLink({ id: `id-${n}`, title, category_id: CATEGORY, created_at, updated_at: created_at });
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

const useRemove = () => ({ mutateAsync: useDeleteLinks(counted).remove });

describe('bulk deletion', () => {
  test('is one call with every id', async () => {
    const requests: FakeRequest[] = [];
    const { write, titles } = await setUp(useRemove, (request) => {
      requests.push(request);
      return { body: links.length };
    });
    await write(links);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', path: 'rpc/delete_links' });
    expect(requests[0]?.body).toEqual({ link_ids: links.map((each) => each.id) });
    expect(titles(CATEGORY)).toEqual([]);
  });

  test('that fails brings everything back', async () => {
    let answer: (value: FakeAnswer) => void = () => undefined;
    const { write, titles } = await setUp(
      useRemove,
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

  test('shows them again, in their places, before the server has brought them back', async () => {
    const gone = links.filter((_, index) => index % 3 === 0);
    let restore: ReturnType<typeof useDeleteLinks>['beginRestore'] | null = null;
    const { write, titles } = await setUp(
      () => {
        const { remove, beginRestore } = useDeleteLinks(counted);
        restore = beginRestore;
        return { mutateAsync: remove };
      },
      () => ({ body: gone.length }),
    );
    await write(gone);
    expect(titles(CATEGORY)).toHaveLength(links.length - gone.length);
    const shown = await (restore as ReturnType<typeof useDeleteLinks>['beginRestore'] | null)?.(gone);
    expect(titles(CATEGORY)).toEqual(links.map((each) => each.title));
    expect(counted).toHaveBeenLastCalledWith(new Map([[CATEGORY, gone.length]]));
    shown?.undo();
    expect(titles(CATEGORY)).toHaveLength(links.length - gone.length);
  });
});

describe('moving a link to another category', () => {
  const before = link(1);
  const change = { title: 'Mudou', category_id: OTHER };

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
