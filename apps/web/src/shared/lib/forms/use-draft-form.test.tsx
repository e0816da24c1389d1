import { folderFormSchema } from '@linkoteca/domain/library-schemas';
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useDraftForm } from './use-draft-form.ts';

const KEY = 'linkoteca-draft-pasta';

beforeEach(() => localStorage.clear());

function setUp(draftKey: string | null = 'pasta') {
  const hook = renderHook(() => useDraftForm({ schema: folderFormSchema, saved: { name: '' }, draftKey }));
  const current = () => hook.result.current;
  return {
    ...hook,
    current,
    type: (name: string) => act(() => current().form.setValue('name', name, { shouldDirty: true })),
  };
}
const kept = () => localStorage.getItem(KEY);

test('what is typed is kept, and comes back in the next form', () => {
  const { type, unmount } = setUp();
  type('Viagens');
  expect(kept()).toBe('{"name":"Viagens"}');
  unmount();
  const { current } = setUp();
  expect([current().form.getValues('name'), current().dirty]).toEqual(['Viagens', true]);
});

test('what is still typed after the draft was forgotten is not kept', () => {
  const { type, current, rerender, unmount } = setUp();
  type('Viagens');
  act(() => current().forgetDraft());
  expect(kept()).toBeNull();
  type('Viagens e mais');
  rerender();
  type('Viagens e muito mais');
  expect(kept()).toBeNull();
  unmount();
  expect(setUp().current().form.getValues('name')).toBe('');
});

test('the next of several starts without a draft and keeps its own', () => {
  const { type, current } = setUp();
  type('Viagens');
  act(() => current().startOver({ name: '' }));
  expect([kept(), current().form.getValues('name'), current().dirty]).toEqual([null, '', false]);
  type('Receitas');
  expect(kept()).toBe('{"name":"Receitas"}');
  expect(current().dirty).toBe(true);
});

test('a form that came back is as new once it has started over', () => {
  localStorage.setItem(KEY, '{"name":"Viagens"}');
  const { current } = setUp();
  expect(current().dirty).toBe(true);
  act(() => current().startOver({ name: '' }));
  expect([kept(), current().dirty]).toEqual([null, false]);
});

test('editing keeps no draft', () => {
  const { type, current } = setUp(null);
  type('Viagens');
  act(() => current().forgetDraft());
  expect(localStorage).toHaveLength(0);
});
