import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Link } from '../../../shared/lib/rows.ts';
import { useLinkSelection } from './use-link-selection.ts';

const links = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }) as Link);

function setUp() {
  const hook = renderHook(({ shown }) => useLinkSelection(shown), { initialProps: { shown: links } });
  return { ...hook, picked: () => [...hook.result.current.ids].toSorted().join('') };
}

test('links are picked one by one; the first starts selection mode', () => {
  const { result, picked } = setUp();
  expect(result.current.active).toBe(false);
  act(() => result.current.toggle('b'));
  expect(result.current.active).toBe(true);
  act(() => result.current.toggle('d'));
  expect(picked()).toBe('bd');
  act(() => result.current.toggle('b'));
  expect(picked()).toBe('d');
});

test('a range grows and shrinks from the link touched last, and leaves what was picked before', () => {
  const { result, picked } = setUp();
  act(() => result.current.toggle('e'));
  act(() => result.current.toggle('b'));
  act(() => result.current.extend('a', 'd'));
  expect(picked()).toBe('bcde');
  act(() => result.current.extend('a', 'c'));
  expect(picked()).toBe('bce');
  act(() => result.current.extend('a', 'a'));
  expect(picked()).toBe('abe');
});

test('a range that starts at a link just left out leaves its links out', () => {
  const { result, picked } = setUp();
  act(() => result.current.pickAll());
  act(() => result.current.toggle('b'));
  act(() => result.current.extend('a', 'd'));
  expect(picked()).toBe('ae');
});

test('a range starts where the keyboard is when nothing was touched yet', () => {
  const { result, picked } = setUp();
  act(() => result.current.extend('b', 'c'));
  expect(picked()).toBe('bc');
  expect(result.current.active).toBe(true);
});

test('select all picks every displayed link, and again none', () => {
  const { result, picked } = setUp();
  act(() => result.current.start());
  act(() => result.current.toggleAll());
  expect(picked()).toBe('abcde');
  act(() => result.current.toggleAll());
  expect(picked()).toBe('');
  expect(result.current.active).toBe(true);
});

test('leaving clears the selection', () => {
  const { result, picked } = setUp();
  act(() => result.current.pickAll());
  act(() => result.current.leave());
  expect(result.current.active).toBe(false);
  act(() => result.current.start());
  expect(picked()).toBe('');
});

test('a link that leaves the list leaves the selection', () => {
  const { result, rerender, picked } = setUp();
  act(() => result.current.pickAll());
  rerender({ shown: links.slice(0, 1) });
  expect(picked()).toBe('a');
});
