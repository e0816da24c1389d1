import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { optimisticRowList } from './optimistic-row-list.ts';

interface Row {
  readonly id: string;
  readonly created_at: string;
  readonly name: string;
  readonly size: number;
}

const KEY = ['rows'] as const;
const first: Row = { id: '1', created_at: '2025-05-11T12:00:00Z', name: 'um', size: 1 };
const second: Row = { id: '2', created_at: '2025-05-10T12:00:00Z', name: 'dois', size: 2 };
const third: Row = { id: '3', created_at: '2025-05-12T12:00:00Z', name: 'três', size: 3 };

let queryClient: QueryClient;
const cached = () => queryClient.getQueryData<readonly Row[]>(KEY);
const rows = () => optimisticRowList<Row>(queryClient, KEY);

beforeEach(() => {
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  queryClient.setQueryData(KEY, [first, second]);
});

describe('a change is shown at once and taken back exactly', () => {
  test('adding', async () => {
    const write = await rows().beginAdd(third);
    expect(cached()).toEqual([third, first, second]);
    write.undo();
    expect(cached()).toEqual([first, second]);
  });

  test('adding what is there already, because an earlier answer was lost', async () => {
    const again = { ...first, created_at: '2025-05-13T12:00:00Z', name: 'de novo' };
    const write = await rows().beginAdd(again);
    expect(cached()).toEqual([again, second]);
    write.undo();
    expect(cached()).toEqual([first, second]);
  });

  test('changing', async () => {
    const write = await rows().beginPatch('1', { name: 'UM' });
    expect(cached()).toEqual([{ ...first, name: 'UM' }, second]);
    write.undo();
    expect(cached()).toEqual([first, second]);
  });

  test('dropping, back to its old place', async () => {
    const write = await rows().beginDrop((row) => row.id === '1');
    expect(cached()).toEqual([second]);
    write.undo();
    expect(cached()).toEqual([first, second]);
  });
});

test('of two writes in flight one may fail without touching the other', async () => {
  const rename = await rows().beginPatch('1', { name: 'UM' });
  await rows().beginPatch('1', { size: 10 });
  await rows().beginDrop((row) => row.id === '2');
  rename.undo();
  expect(cached()).toEqual([{ ...first, size: 10 }]);
});

test('what the server stored replaces what was shown, unless the row is gone meanwhile', async () => {
  rows().store('1', { name: 'guardado' });
  rows().store('9', { name: 'ninguém' });
  expect(cached()).toEqual([{ ...first, name: 'guardado' }, second]);
});

test('without cached rows nothing is invented', async () => {
  queryClient.clear();
  const write = await rows().beginAdd(third);
  expect(cached()).toBeUndefined();
  write.undo();
  expect(cached()).toBeUndefined();
});

test('a read that began before the write does not overwrite it, and is asked again afterwards', async () => {
  const answers: ((list: readonly Row[]) => void)[] = [];
  const read = vi.fn(() => new Promise<readonly Row[]>((resolve) => answers.push(resolve)));
  const reading = queryClient
    .fetchQuery({ queryKey: KEY, queryFn: read, staleTime: 0 })
    .catch(() => undefined);
  expect(read).toHaveBeenCalledTimes(1);

  const write = await rows().beginAdd(third);
  answers[0]?.([first, second]);
  await reading;
  expect(cached()).toEqual([third, first, second]);

  write.settle();
  expect(queryClient.getQueryState(KEY)?.isInvalidated).toBe(true);
});
