import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeMutant, EQUIVALENT_MUTANTS, findReason } from './equivalent-mutants.ts';
import { applyMutant, listMutants, type MutantOptions } from './list-mutants.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Every text that one fault makes of a text. */
const faultsOf = (text: string, options: MutantOptions = {}, file = 'some.ts') =>
  listMutants(file, text, options).map((mutant) => applyMutant(text, mutant));

describe('the faults of a text', () => {
  it.each<[string, readonly string[]]>([
    ['x = a < b;', ['x = a <= b;', 'x = a >= b;']],
    ['x = a === b;', ['x = a !== b;']],
    ['x = a && b;', ['x = a || b;']],
    ['x = a ?? b;', ['x = a && b;']],
    ['x = a + 1;', ['x = a - 1;']],
    ['x -= 1;', ['x += 1;']],
    ['x++;', ['x--;']],
    ['x = !a;', ['x = a;']],
    ['x = true;', ['x = false;']],
    ['x = a ? b : c;', ['x = true ? b : c;', 'x = false ? b : c;']],
    ['x = list.some(f);', ['x = list.every(f);']],
    ['x = Math.min(a, b);', ['x = Math.max(a, b);']],
    ['x = list.filter(f);', ['x = list;']],
    ['save(x);', [';']],
    ['await save(x);', [';']],
    ['if (a) save(x);', ['if (true) save(x);', 'if (false) save(x);', 'if (a) ;']],
    ['throw x;', [';']],
    ['f = () => x;', ['f = () => undefined;']],
    ['function f() { return x; }', ['function f() { return undefined; }']],
    ['function f() { a(); b(); }', ['function f() {}', 'function f() { ; b(); }', 'function f() { a(); ; }']],
  ])('%s', (text, faults) => {
    expect(faultsOf(text).toSorted()).toEqual(faults.toSorted());
  });

  it.each([
    'type A = true;',
    'interface A { readonly b: false }',
    "import a from 'a';",
    "x = a + 'b';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code, not a text.
    'x = `${a}` + b + c;',
    'f = () => null;',
    'x = 20;',
    'x = a?.b;',
    'x = a.toString();',
  ])('leave %s alone', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  it('reach numbers where figures are the rule', () => {
    expect(faultsOf('x = 20;', { numbers: true })).toEqual(['x = (20 + 1);']);
  });

  it('reach markup', () => {
    expect(faultsOf('x = <A b={!c} />;', {}, 'some.tsx')).toEqual(['x = <A b={c} />;']);
  });

  it('are described by the line before and after', () => {
    const text = 'a();\nx = a < b;\nb();\n';
    const [mutant] = listMutants('some.ts', text).filter(({ line }) => line === 2);
    expect(mutant && describeMutant(text, mutant)).toBe('x = a < b; => x = a <= b;');
  });
});

it('faults that are known to change nothing are about code that is there', () => {
  const gone = EQUIVALENT_MUTANTS.filter(({ file, mutated, reason }) => {
    const text = readFileSync(`${repository}${file}`, 'utf8');
    const mutants = listMutants(file, text).filter((mutant) => describeMutant(text, mutant) === mutated);
    return !mutants.some((mutant) => findReason(text, mutant) === reason);
  });
  expect(gone).toEqual([]);
});
