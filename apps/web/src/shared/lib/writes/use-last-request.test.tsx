import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useLastRequest } from './use-last-request.ts';

type Request = { readonly id: string };
const first: Request = { id: 'a' };
const second: Request = { id: 'b' };
const open = (initialProps: Request | null) =>
  renderHook((request: Request | null) => useLastRequest(request), { initialProps });

test('before the first request there is none', () => {
  expect(open(null).result.current).toBeNull();
});

test('a request stays, closed, when the state that asked is gone', () => {
  const { result, rerender } = open(first);
  expect(result.current).toEqual({ key: 1, request: first, open: true });
  rerender(null);
  expect(result.current).toEqual({ key: 1, request: first, open: false });
});

test('each request opens a fresh dialog, and drawing again opens none', () => {
  const { result, rerender } = open(first);
  rerender(first);
  expect(result.current?.key).toBe(1);
  rerender(second);
  expect(result.current).toEqual({ key: 2, request: second, open: true });
});

test('a request that is made again opens a fresh dialog, too', () => {
  const { result, rerender } = open(first);
  rerender(null);
  rerender(first);
  expect(result.current).toEqual({ key: 2, request: first, open: true });
});
