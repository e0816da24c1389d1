import { fireEvent, renderHook } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useShortcut } from './use-shortcut.ts';

afterEach(() => {
  document.body.replaceChildren();
});

function listen(shortcut: string, options?: Parameters<typeof useShortcut>[2]) {
  const action = vi.fn();
  renderHook(() => useShortcut(shortcut, action, options));
  return action;
}

function put(html: string): Element {
  document.body.insertAdjacentHTML('beforeend', html);
  return document.body.querySelector('[data-here]') ?? document.body;
}

test('a key alone acts, a modified or held one does not', () => {
  const action = listen('n');
  fireEvent.keyDown(document.body, { key: 'n' });
  fireEvent.keyDown(document.body, { key: 'N' });
  expect(action).toHaveBeenCalledTimes(2);
  for (const how of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey', 'repeat', 'isComposing'])
    fireEvent.keyDown(document.body, { key: 'n', [how]: true });
  expect(action).toHaveBeenCalledTimes(2);
});

test('it listens before the page is painted: whoever sees it may press at once', () => {
  const action = vi.fn();
  renderHook(() => {
    useShortcut('n', action);
    // Runs with the commit, before the browser paints it.
    useLayoutEffect(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
    }, []);
  });
  expect(action).toHaveBeenCalledOnce();
});

test("'?' is typed with Shift on most keyboards", () => {
  const action = listen('?');
  fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
  expect(action).toHaveBeenCalledOnce();
});

test("'mod+k' is Ctrl or Cmd, nothing else", () => {
  const action = listen('mod+k');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  fireEvent.keyDown(document.body, { key: 'K', metaKey: true });
  expect(action).toHaveBeenCalledTimes(2);
  fireEvent.keyDown(document.body, { key: 'k' });
  fireEvent.keyDown(document.body, { key: 'K', ctrlKey: true, shiftKey: true });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true, altKey: true });
  expect(action).toHaveBeenCalledTimes(2);
});

test.each([
  '<input data-here>',
  '<textarea data-here></textarea>',
  '<div contenteditable=true data-here></div>',
])('typing into %s is typing', (field) => {
  const single = listen('n');
  const combination = listen('mod+z');
  const anywhere = listen('mod+k', { whileTyping: true });
  const place = put(field);
  fireEvent.keyDown(place, { key: 'n' });
  fireEvent.keyDown(place, { key: 'z', ctrlKey: true });
  fireEvent.keyDown(place, { key: 'k', ctrlKey: true });
  expect([single, combination, anywhere].map((action) => action.mock.calls.length)).toEqual([0, 0, 1]);
});

test('a ticked box is no text field', () => {
  const action = listen('n');
  fireEvent.keyDown(put('<input type=checkbox data-here>'), { key: 'n' });
  expect(action).toHaveBeenCalledOnce();
});

test.each(['dialog', 'alertdialog', 'menu'])('nothing happens under an open %s', (role) => {
  const single = listen('n');
  const anywhere = listen('mod+k', { whileTyping: true });
  put(`<div role=${role}></div>`);
  fireEvent.keyDown(document.body, { key: 'n' });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(single).not.toHaveBeenCalled();
  expect(anywhere).not.toHaveBeenCalled();
});

test('a toast does not stand in the way', () => {
  const action = listen('n');
  put('<div role=alertdialog aria-modal=false></div>');
  fireEvent.keyDown(document.body, { key: 'n' });
  expect(action).toHaveBeenCalledOnce();
});

test('single keys can be switched off; combinations and named keys stay', () => {
  localStorage.setItem('linkoteca-single-keys', 'off');
  const actions = ['n', '?', 'escape', 'mod+k'].map((shortcut) => listen(shortcut));
  fireEvent.keyDown(document.body, { key: 'n' });
  fireEvent.keyDown(document.body, { key: '?' });
  fireEvent.keyDown(document.body, { key: 'Escape' });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(actions.map((action) => action.mock.calls.length)).toEqual([0, 0, 1, 1]);
});

test.each(['dialog', 'alertdialog', 'menu'])('a %s on its way out holds no key up', (role) => {
  const action = listen('mod+z');
  const place = put(`<div role=${role}><button data-here>Excluir</button></div>`);
  fireEvent.keyDown(place, { key: 'z', ctrlKey: true });
  expect(action).not.toHaveBeenCalled();
  place.parentElement?.setAttribute('data-closed', '');
  fireEvent.keyDown(place, { key: 'z', ctrlKey: true });
  expect(action).toHaveBeenCalledOnce();
});
