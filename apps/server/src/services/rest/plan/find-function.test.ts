import { describe, expect, it } from 'vitest';
import type { Payload } from '../parse/parse-payload.ts';
import { findFunction } from './find-function.ts';
import { WORKSHOP } from './test-support/plan-workshop.ts';

const JSON_BODY: Payload = { kind: 'json', text: '{}', isArray: false, keys: [] };
const CSV_BODY: Payload = { kind: 'json', text: '{}', isArray: false, keys: [], fromCsv: true };
const FORM: Payload = { kind: 'form', pairs: [] };
const raw = (type: 'text' | 'xml' | 'bytea'): Payload => ({ kind: 'raw', type, body: 'x' });

function find(name: string, names: readonly string[] = [], payload?: Payload) {
  const found = findFunction(WORKSHOP, 'workshop', name, names, payload);
  if (!found.ok) return found.failure.code;
  const types = found.value.routine.parameters.map(({ type }) => type).join();
  return `${types}${found.value.takesBody ? ' as a body' : ''}`;
}

describe('a function', () => {
  it.each([
    ['greet', ['name'], undefined, 'text,boolean'],
    ['greet', ['loud', 'name'], JSON_BODY, 'text,boolean'],
    ['greet', ['loud'], undefined, 'PGRST202'],
    ['greet', ['name', 'extra'], undefined, 'PGRST202'],
    ['greet', [], undefined, 'PGRST202'],
    ['now', [], undefined, ''],
    ['now', [], JSON_BODY, ''],
    ['now', [], raw('text'), 'PGRST202'],
    ['now', ['x'], JSON_BODY, 'PGRST202'],
    ['twice', ['value'], undefined, 'PGRST203'],
    ['sum', [], undefined, 'integer'],
    // One parameter without a name takes the body, if it is of its type.
    ['take', ['a', 'b'], JSON_BODY, 'json as a body'],
    ['take', [], raw('text'), 'text as a body'],
    ['take', [], raw('xml'), 'PGRST202'],
    ['take', ['a'], FORM, 'PGRST202'],
    ['take', [], undefined, 'PGRST202'],
    ['take', [''], undefined, 'PGRST202'],
    // The empty name is the parameter's that has none: of each type that takes a body.
    ['shout', [''], JSON_BODY, 'text as a body'],
    ['keep', [''], JSON_BODY, 'jsonb as a body'],
    ['take', [''], JSON_BODY, 'PGRST203'],
    ['shout', ['', 'a'], JSON_BODY, 'PGRST202'],
    ['shout', [''], CSV_BODY, 'PGRST202'],
    ['shout', [''], FORM, 'PGRST202'],
    ['shout', [], JSON_BODY, 'PGRST202'],
    ['keep', ['a'], JSON_BODY, 'jsonb as a body'],
    ['keep', [], raw('text'), 'PGRST202'],
    ['pair', ['a'], raw('text'), 'PGRST202'],
    ['odd', ['a'], JSON_BODY, 'PGRST202'],
    ['odd', ['body'], JSON_BODY, 'json'],
    ['nada', [], undefined, 'PGRST202'],
  ])('%s called with %j is that of %s', (name, names, payload, expected) => {
    expect(find(name, names, payload)).toBe(expected);
  });

  it.each([
    [
      'gret',
      ['name'],
      undefined,
      'workshop.gret(name)',
      'workshop.gret with parameter name',
      'Perhaps you meant to call the function workshop.greet',
    ],
    [
      'greet',
      ['nam', 'loud'],
      undefined,
      'workshop.greet(loud, nam)',
      'workshop.greet with parameters loud, nam',
      'Perhaps you meant to call the function workshop.greet(loud, name)',
    ],
    [
      'greet',
      [],
      JSON_BODY,
      'workshop.greet without parameters',
      'workshop.greet without parameters or with a single unnamed json/jsonb parameter',
      null,
    ],
    [
      'greet',
      ['zzzzzzzz'],
      undefined,
      'workshop.greet(zzzzzzzz)',
      'workshop.greet with parameter zzzzzzzz',
      null,
    ],
    ['zzzz', [], undefined, 'workshop.zzzz without parameters', 'workshop.zzzz without parameters', null],
    [
      'greet',
      ['name'],
      raw('bytea'),
      'workshop.greet',
      'workshop.greet with a single unnamed bytea parameter',
      null,
    ],
  ])(
    '%s that cannot be called with %j says what was looked for',
    (name, names, payload, called, searched, hint) => {
      const found = findFunction(WORKSHOP, 'workshop', name, names, payload);
      expect(found.ok ? undefined : found.failure).toEqual({
        status: 404,
        code: 'PGRST202',
        message: `Could not find the function ${called} in the schema cache`,
        details: `Searched for the function ${searched}, but no matches were found in the schema cache.`,
        hint,
      });
    },
  );

  it('of another schema is no near name', () => {
    const functions = new Map([['other\0greet', [...(WORKSHOP.functions.get('workshop\0greet') ?? [])]]]);
    const others = [...functions.values()].map((all) => all.map((one) => ({ ...one, schema: 'other' })));
    const cache = { ...WORKSHOP, functions: new Map([['other\0greet', others[0] ?? []]]) };
    const found = findFunction(cache, 'workshop', 'gret', [], undefined);
    expect(found.ok ? undefined : found.failure.hint).toBeNull();
  });
});
