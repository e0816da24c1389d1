import { describe, expect, test } from 'vitest';
import { type ListSituation, planLinkKey } from './plan-link-key.ts';

/** Eleven cards in lines of four: 0 to 3, 4 to 7, 8 to 10. */
const grid: ListSituation = { index: 5, count: 11, columns: 4, pageLines: 2, typing: false };
const list: ListSituation = { index: 5, count: 11, columns: 1, pageLines: 3, typing: false };

const plan = (combination: string, situation: ListSituation) => {
  const parts = combination.split('+');
  const held = new Set(parts.slice(0, -1));
  return planLinkKey(
    { key: parts.at(-1) ?? '', shift: held.has('Shift'), command: held.has('Ctrl'), alt: held.has('Alt') },
    situation,
  );
};

test.each([
  ['ArrowLeft', 5, 4],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 3, 4],
  ['ArrowRight', 10, 10],
  ['ArrowUp', 5, 1],
  ['ArrowUp', 1, 1],
  ['ArrowDown', 5, 9],
  ['ArrowDown', 7, 10],
  ['ArrowDown', 9, 9],
  ['Home', 6, 4],
  ['End', 5, 7],
  ['End', 9, 10],
  ['Ctrl+Home', 6, 0],
  ['Ctrl+End', 1, 10],
  ['PageDown', 1, 9],
  ['PageDown', 3, 10],
  ['PageDown', 9, 9],
  ['PageUp', 9, 1],
  ['PageUp', 6, 2],
  ['PageUp', 2, 2],
])('among cards %s goes from %i to %i', (key, index, target) => {
  expect(plan(key, { ...grid, index })).toEqual({ act: 'focus', index: target, extend: false });
});

test.each([
  ['ArrowUp', 4],
  ['ArrowDown', 6],
  ['Home', 0],
  ['End', 10],
  ['PageDown', 8],
  ['PageUp', 2],
])('among rows %s goes from 5 to %i', (key, target) => {
  expect(plan(key, list)).toEqual({ act: 'focus', index: target, extend: false });
});

test('rows have no left and right', () => {
  expect(plan('ArrowLeft', list)).toBeNull();
  expect(plan('ArrowRight', list)).toBeNull();
});

test('walking with Shift picks on the way', () => {
  expect(plan('Shift+ArrowRight', grid)).toEqual({ act: 'focus', index: 6, extend: true });
  expect(plan('Ctrl+Shift+End', grid)).toMatchObject({ index: 10, extend: true });
});

test.each([
  ['Enter', 'open'],
  [' ', 'toggle'],
  ['x', 'toggle'],
  ['Ctrl+a', 'select-all'],
  ['s', 'star'],
  ['Delete', 'delete'],
  ['e', 'edit'],
  ['F2', 'edit'],
  ['i', 'info'],
  ['c', 'copy'],
  ['ContextMenu', 'menu'],
  ['Shift+F10', 'menu'],
])('%s asks to %s', (key, act) => {
  expect(plan(key, grid)).toEqual({ act });
});

describe('letters', () => {
  test('jump to a title', () => {
    expect(plan('r', grid)).toEqual({ act: 'type', character: 'r' });
    expect(plan('ç', grid)).toEqual({ act: 'type', character: 'ç' });
    expect(plan('3', grid)).toEqual({ act: 'type', character: '3' });
  });

  test('that are commands begin a title with Shift, and belong to one that has begun', () => {
    expect(plan('Shift+E', grid)).toEqual({ act: 'type', character: 'E' });
    for (const character of ['e', 'x', ' ', 'n', 'v']) {
      expect(plan(character, { ...grid, typing: true })).toEqual({ act: 'type', character });
    }
  });

  test('of the whole page are left to it', () => {
    for (const key of ['n', 'v', 'm', '/', '?']) expect(plan(key, grid)).toBeNull();
  });
});

test.each(['Ctrl+c', 'Ctrl+z', 'Ctrl+ArrowDown', 'Alt+ArrowLeft', 'Alt+Home', 'Tab', 'Escape', 'F5'])(
  '%s is left to the browser',
  (key) => {
    expect(plan(key, grid)).toBeNull();
  },
);

test('without links no key means anything', () => {
  expect(plan('ArrowDown', { ...grid, count: 0 })).toBeNull();
});
