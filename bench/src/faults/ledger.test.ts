import { expect, it } from 'vitest';
import { type Answer, type Change, createLedger, type Found } from './ledger.ts';

const found = (things: Readonly<Record<string, readonly string[]>>): Found => new Map(Object.entries(things));
const add = (key: string, state = 'new'): Change => ({ key, state });
const answers = (answer: Answer) => async () => answer;

it('calls lost what was acknowledged and is gone, is there again, or is as it was before', async () => {
  const ledger = createLedger();
  await ledger.attempt([add('a'), add('b'), add('c')], answers('acknowledged'));
  await ledger.attempt([{ key: 'b', state: null }], answers('acknowledged'));
  await ledger.attempt([add('c', 'changed')], answers('acknowledged'));
  expect(ledger.acknowledged()).toBe(3);
  expect(ledger.judge(found({ a: ['new'], c: ['changed'] }))).toEqual({ lost: [], doubled: [] });
  expect(ledger.judge(found({ b: ['new'], c: ['new'] })).lost).toEqual([
    'a is gone, acknowledged was new',
    'b is new, acknowledged was gone',
    'c is new, acknowledged was changed',
  ]);
});

it('takes what was not answered whole or not at all, and half of it for a loss', async () => {
  const ledger = createLedger();
  await ledger.attempt([add('a')], answers('acknowledged'));
  await ledger.attempt([add('a', 'changed'), add('b')], answers('unknown'));
  expect(ledger.judge(found({ a: ['new'] })).lost).toEqual([]);
  expect(ledger.judge(found({ a: ['changed'], b: ['new'] })).lost).toEqual([]);
  expect(ledger.judge(found({ a: ['changed'] })).lost).toEqual(['half done: a, b']);
  expect(ledger.judge(found({ a: ['something else'] })).lost).toEqual(['half done: a, b']);
});

it('calls doubled what is there twice, was refused, or was never asked for', async () => {
  const ledger = createLedger();
  await ledger.attempt([add('a')], answers('acknowledged'));
  await ledger.attempt([add('b')], answers('refused'));
  expect(ledger.judge(found({ a: ['new', 'new'], b: ['new'], c: ['new'] })).doubled).toEqual([
    'a is there 2 times',
    'b is there 1 times',
    'c is there 1 times',
  ]);
});

it('takes what was sent again and then refused for carried out, or not', async () => {
  const ledger = createLedger();
  await ledger.attempt([add('a')], answers('unknown'));
  await ledger.attempt([add('a')], answers('refused'));
  for (const things of [{}, { a: ['new'] }])
    expect(ledger.judge(found(things))).toEqual({ lost: [], doubled: [] });
});
