import { beforeEach, expect, test } from 'vitest';
import { forgetUndos, rememberUndo, undoLast } from './undo-history.ts';

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
