import { beforeEach, describe, expect, test } from 'vitest';
import { forgetUndos, rememberUndo, reserveUndo, undoLast } from './undo-history.ts';

let log: string[] = [];
const remember = (name: string) =>
  rememberUndo({ undo: () => log.push(`undo ${name}`), drop: () => log.push(`drop ${name}`) });

beforeEach(() => {
  forgetUndos();
  log = [];
});

test('what was done last is taken back first, each once', () => {
  remember('a');
  remember('b');
  for (let presses = 1; presses <= 3; presses += 1) undoLast();
  expect(log).toEqual(['undo b', 'undo a']);
});

test('what cannot be taken back any more is passed over', () => {
  remember('a');
  const forget = remember('b');
  forget();
  undoLast();
  expect(log).toEqual(['undo a']);
});

test('who leaves takes every way back along, and its button', () => {
  remember('a');
  remember('b');
  forgetUndos();
  undoLast();
  forgetUndos();
  expect(log).toEqual(['drop a', 'drop b']);
});

describe('a place that is kept for a way back', () => {
  const wayBack = (name: string) => ({
    undo: () => log.push(`undo ${name}`),
    drop: () => log.push(`drop ${name}`),
  });

  test('stays before what was done since', () => {
    remember('a');
    const place = reserveUndo();
    remember('c');
    place.fill(wayBack('b'));
    for (let presses = 1; presses <= 4; presses += 1) undoLast();
    expect(log).toEqual(['undo c', 'undo b', 'undo a']);
    expect(place.isTaken()).toBe(false);
  });

  test('takes the key before the way is known, and what came before stays', () => {
    remember('a');
    const place = reserveUndo();
    undoLast();
    expect(place.isTaken()).toBe(true);
    place.fill(wayBack('b'));
    undoLast();
    expect(log).toEqual(['undo a']);
  });

  test('is given up where nothing was done, before or after the way is known', () => {
    remember('a');
    reserveUndo().forget();
    reserveUndo().fill(wayBack('b'))();
    undoLast();
    expect(log).toEqual(['undo a']);
  });

  test('is made anew for a way that is known only after everything was forgotten', () => {
    const place = reserveUndo();
    forgetUndos();
    const forget = place.fill(wayBack('b'));
    undoLast();
    forget();
    expect(log).toEqual(['undo b']);
  });
});
