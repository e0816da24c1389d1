import type { Link } from '@linkoteca/domain/entities';
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useLinkSelection } from './use-link-selection.ts';

const links = ['a', 'b', 'c', 'd'].map((id) => ({ id }) as Link);

function setUp() {
  const hook = renderHook(({ shown }) => useLinkSelection(shown), { initialProps: { shown: links } });
  return { ...hook, picked: () => [...hook.result.current.ids] };
}

test('links are picked one by one, or from one to another with shift', () => {
  const { result, picked } = setUp();
  act(() => result.current.start());
  act(() => result.current.toggle('b', false));
  expect(picked()).toEqual(['b']);
  act(() => result.current.toggle('d', true));
  expect(picked()).toEqual(['b', 'c', 'd']);
  act(() => result.current.toggle('c', false));
  expect(picked()).toEqual(['b', 'd']);
});

test('select all picks every displayed link, and again none', () => {
  const { result, picked } = setUp();
  act(() => result.current.start());
  act(() => result.current.toggleAll());
  expect(picked()).toEqual(['a', 'b', 'c', 'd']);
  act(() => result.current.toggleAll());
  expect(picked()).toEqual([]);
});

test('leaving clears the selection', () => {
  const { result, picked } = setUp();
  act(() => result.current.start());
  act(() => result.current.toggleAll());
  act(() => result.current.leave());
  expect(result.current.active).toBe(false);
  act(() => result.current.start());
  expect(picked()).toEqual([]);
});

test('a link that leaves the list leaves the selection', () => {
  const { result, rerender, picked } = setUp();
  act(() => result.current.start());
  act(() => result.current.toggleAll());
  rerender({ shown: links.slice(0, 1) });
  expect(picked()).toEqual(['a']);
});
