import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { expectConsoleError } from '../test/setup-browser-tests.ts';
import { OfflineError } from './connection/offline-error.ts';
import { createQueryClient } from './create-query-client.ts';

test('what was read is fresh for a minute and kept for ten, and renewed on focus, mount and reconnect', () => {
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
    staleTime: 60_000,
    gcTime: 600_000,
    refetchOnWindowFocus: true,
    refetchOnMount: true,
    refetchOnReconnect: true,
  });
});

test('within its minute a read is not asked for again, afterwards it is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const queryClient = createQueryClient();
    const queryFn = vi.fn(async () => 'lido');
    const read = () => queryClient.fetchQuery({ queryKey: ['leitura'], queryFn });
    await read();
    vi.setSystemTime(Date.now() + 59_000);
    await read();
    expect(queryFn).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + 2_000);
    await read();
    expect(queryFn).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('who comes back from a window beside this one asks for what is older than a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const queryClient = createQueryClient();
  const queryFn = vi.fn(async () => 'lido');
  const forget = new QueryObserver(queryClient, { queryKey: ['leitura'], queryFn }).subscribe(
    () => undefined,
  );
  const comeBack = () => {
    window.dispatchEvent(new Event('blur'));
    window.dispatchEvent(new Event('focus'));
  };
  queryClient.mount();
  try {
    await waitFor(() => expect(queryClient.getQueryData(['leitura'])).toBe('lido'));
    vi.setSystemTime(Date.now() + 59_000);
    comeBack();
    vi.setSystemTime(Date.now() + 2_000);
    comeBack();
    await waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  } finally {
    forget();
    queryClient.unmount();
    vi.useRealTimers();
  }
});

test('a failed read is tried once more', async () => {
  vi.useFakeTimers();
  try {
    const queryFn = vi.fn(() => Promise.reject(new Error('indisponível')));
    const { retry } = createQueryClient().getDefaultOptions().queries ?? {};
    expect(retry).toBe(1);
    // fetchQuery tries once unless told; the rule itself is passed on.
    const read = createQueryClient().fetchQuery({ queryKey: ['leitura'], queryFn, ...(retry && { retry }) });
    const refused = expect(read).rejects.toThrow('indisponível');
    await vi.runAllTimersAsync();
    await refused;
    expect(queryFn).toHaveBeenCalledTimes(2);
    expectConsoleError(/read failed/);
  } finally {
    vi.useRealTimers();
  }
});

test('a failed write is not tried again', async () => {
  const queryClient = createQueryClient();
  const mutationFn = vi.fn(() => Promise.reject(new Error('recusado')));
  const write = queryClient.getMutationCache().build(queryClient, { mutationFn });
  await expect(write.execute(undefined)).rejects.toThrow('recusado');
  expect(mutationFn).toHaveBeenCalledTimes(1);
});

test('without network a write does not even begin: nothing is shown that would be taken back', async () => {
  const queryClient = createQueryClient();
  const mutationFn = vi.fn(async () => undefined);
  const onMutate = vi.fn();
  onlineManager.setOnline(false);
  try {
    const write = queryClient.getMutationCache().build(queryClient, { mutationFn, onMutate });
    await expect(write.execute(undefined)).rejects.toThrow(OfflineError);
    expect(onMutate).not.toHaveBeenCalled();
    expect(mutationFn).not.toHaveBeenCalled();
  } finally {
    onlineManager.setOnline(true);
  }
});

test.each([
  ['a first read that is under way when what it reads changes', true, undefined],
  ['a read that no screen waits for', false, 'de antes'],
])('%s is outdated when it comes, and read again where it is seen', async (_what, isSeen, known) => {
  const queryClient = createQueryClient();
  const before = Promise.withResolvers<string>();
  const queryFn = vi.fn(async () => 'depois').mockImplementationOnce(() => before.promise);
  const queryKey = ['leitura'];
  if (known !== undefined) queryClient.setQueryData(queryKey, known, { updatedAt: 0 });
  const list = new QueryObserver(queryClient, { queryKey, queryFn, retry: false });
  if (!isSeen) void queryClient.prefetchQuery({ queryKey, queryFn });
  const forget = isSeen ? list.subscribe(() => undefined) : () => undefined;
  await queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  before.resolve('antes');
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toBe(isSeen ? 'depois' : 'antes'));
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(!isSeen);
  expect(queryFn).toHaveBeenCalledTimes(isSeen ? 2 : 1);
  forget();
});

test('a list on the screen that is read anew after a change is asked for once more, not twice', async () => {
  const queryClient = createQueryClient();
  const queryKey = ['leitura'];
  const queryFn = vi.fn(async () => 'lido');
  const forget = new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined);
  await waitFor(() => expect(queryClient.getQueryData(queryKey)).toBe('lido'));
  void queryClient.invalidateQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
  expect(queryClient.isFetching()).toBe(0);
  expect(queryFn).toHaveBeenCalledTimes(3);
  forget();
});
