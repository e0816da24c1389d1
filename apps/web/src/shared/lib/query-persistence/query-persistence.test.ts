import 'fake-indexeddb/auto';
import { QueryClient } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { letPass } from '../../test/let-pass.ts';
import { persistQueries, trimPersistedQueries } from './persist-queries.ts';
import { queryStore, wipePersistedQueries } from './query-store.ts';
import { readPersistedQueries } from './read-persisted-queries.ts';

const ana = { userId: 'ana', buildId: '/assets/index-1.js' };
const isKept = ([first]: readonly unknown[]) => first !== 'search';
const page = (name: string) => ({ links: [{ id: name }], next: null });
const pages = (...names: string[]) => ({ pages: names.map(page), pageParams: names.map(() => null) });

let stop = () => {};
beforeEach(() => {
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
});
afterEach(async () => {
  stop();
  vi.unstubAllGlobals();
  await wipePersistedQueries();
});

function keep(owner = ana) {
  const queryClient = new QueryClient();
  stop = persistQueries({ queryClient, owner, isKept, restMs: 20 });
  return queryClient;
}

const read = async (owner = ana, now = Date.now()) =>
  (await readPersistedQueries(owner, now)).map(({ queryKey, state }) => [queryKey, state.data]);

test('what the cache learns is there again, page by page and in order', async () => {
  const queryClient = keep();
  queryClient.setQueryData(['folders', 'ana'], [{ id: '1', name: 'Estudos' }]);
  queryClient.setQueryData(['links', 'a, "b"'], pages('um', 'dois'));
  await waitFor(async () =>
    expect(await read()).toEqual([
      [['folders', 'ana'], [{ id: '1', name: 'Estudos' }]],
      [['links', 'a, "b"'], pages('um', 'dois')],
    ]),
  );
});

test('what was there before the keeping began is kept too; searches are not', async () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['folders', 'ana'], []);
  queryClient.setQueryData(['search', 'ana', 'café'], { term: 'café' });
  stop = persistQueries({ queryClient, owner: ana, isKept, restMs: 20 });
  await waitFor(async () => expect(await read()).toEqual([[['folders', 'ana'], []]]));
});

test('of a long list only the page that changed is written again, and nothing is left behind', async () => {
  const queryClient = keep();
  const before = pages('um', 'dois', 'três');
  queryClient.setQueryData(['links', 'c'], before);
  await waitFor(async () => expect(await read()).toHaveLength(1));
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  const after = { ...before, pages: before.pages.with(1, page('DOIS')) };
  queryClient.setQueryData(['links', 'c'], after);
  await waitFor(async () => expect(await read()).toEqual([[['links', 'c'], after]]));
  const written = put.mock.calls.map(([, key]) => (Array.isArray(key) ? key[0] : key));
  expect(written).toEqual(['piece', 'query']);
  const count = await queryStore()('readonly', (records) => promised(records.count()));
  expect(count).toBe(1 + 1 + 3);
});

test('nothing of one person is there for the next, nor after signing out, whatever a tab still writes', async () => {
  const queryClient = keep();
  queryClient.setQueryData(['folders', 'ana'], [{ id: '1' }]);
  await waitFor(async () => expect(await read()).toHaveLength(1));
  const bia = { ...ana, userId: 'bia' };
  expect(await read(bia)).toEqual([]);

  const stopBia = persistQueries({ queryClient: new QueryClient(), owner: bia, isKept });
  await waitFor(async () => expect(await read()).toEqual([]));
  queryClient.setQueryData(['folders', 'ana'], [{ id: '2' }]);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await letPass(50);
  expect(await queryStore()('readonly', (records) => promised(records.count()))).toBe(1);
  stopBia();
});

test('another build starts anew, and a month later nothing is shown', async () => {
  const queryClient = keep();
  queryClient.setQueryData(['folders', 'ana'], []);
  await waitFor(async () => expect(await read()).toHaveLength(1));
  expect(await read({ ...ana, buildId: '/assets/index-2.js' })).toEqual([]);
  expect(await read(ana, Date.now() + 31 * 24 * 3_600_000)).toEqual([]);
});

test('when it is too much, what was seen long ago goes first', async () => {
  const queryClient = keep();
  queryClient.setQueryData(['links', 'velha'], pages('um'), { updatedAt: Date.now() - 60_000 });
  queryClient.setQueryData(['links', 'nova'], pages('dois'));
  await waitFor(async () => expect(await read()).toHaveLength(2));
  await trimPersistedQueries(JSON.stringify(page('dois')).length);
  expect(await read()).toEqual([[['links', 'nova'], pages('dois')]]);
});

function promised<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
