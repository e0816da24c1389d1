import { describe, expect, it } from 'vitest';
import { planWorkshop } from './test-support/plan-workshop.ts';

/** What a read weighs, or the code of the refusal. */
function weigh(address: string) {
  const planned = planWorkshop(`GET ${address}`);
  if (!planned.ok) return planned.failure.code;
  return planned.value.kind === 'read' ? planned.value.weight : undefined;
}
const LIGHT = { boundedParts: undefined, isCostly: false, hasPattern: false };

describe('a read', () => {
  it.each([
    // A thousand rows by sixteen fields; by twenty, and one more.
    ['/clients?select=*', undefined],
    ['/clients', undefined],
    [`/clients?select=${fields(20)}`, undefined],
    [`/clients?select=${fields(21)}`, 1],
    [`/clients?select=${fields(21)}&limit=952`, undefined],
    [`/clients?select=${fields(21)}&limit=953`, 1],
    // The second level counts twice; a list multiplies by its limit, a single row does not.
    ['/clients?select=id,projects(id)&limit=1', undefined],
    ['/clients?select=id,projects(id)&limit=9', undefined],
    ['/clients?select=id,projects(id)&limit=10', 1],
    ['/clients?select=projects()&limit=19&projects.limit=10', undefined],
    ['/projects?select=id,clients(id)', undefined],
    ['/projects?select=id,clients(*)', 1],
    [`/clients?select=id,projects(${fields(9)})&projects.limit=0`, undefined],
    [`/clients?select=id,projects(${fields(10)})&projects.limit=0`, 1],
    ['/clients?select=id,projects(id,tasks(id)),busy(id)', 3],
    ['/projects?select=id,clients(id,busy(id))', 1],
    // The same column twice grows without end.
    ['/clients?select=id,a:id&limit=1', 1],
    ['/clients?select=*,id&limit=1', 1],
    ['/clients?select=id,name&limit=1', undefined],
    ['/projects?select=id,clients(id,a:id)&limit=1', 1],
  ])('%s is bounded among %s parts', (address, boundedParts) => {
    expect(weigh(address)).toMatchObject({ boundedParts });
  });

  it('is refused where limits multiply beyond reason', () => {
    expect(weigh('/clients?select=projects(tasks(people(tasks(id))))')).toBe('54001');
    // Ten to the twelfth cells at the fourth level, and one more row.
    const deep = (limit: number) =>
      weigh(
        `/clients?select=projects!inner(tasks!inner(people!inner(id)))&limit=${limit}&projects.limit=1000`,
      );
    expect([deep(249), deep(250)].map((one) => typeof one)).toEqual(['object', 'string']);
  });

  it.each([
    ['/clients?id=eq.1', LIGHT],
    ['/clients?name=like.a*', LIGHT],
    ['/clients?name=like.*a', { ...LIGHT, isCostly: true }],
    ['/clients?name=ilike.%25a', { ...LIGHT, isCostly: true }],
    ['/clients?name=ilike._a', { ...LIGHT, isCostly: true }],
    ['/clients?name=ilike.a%25', LIGHT],
    ['/clients?name=like(any).{"*a"}', { ...LIGHT, isCostly: true }],
    ['/clients?name=eq.*a', LIGHT],
    ['/clients?name=fts.a', { ...LIGHT, isCostly: true }],
    ['/clients?name=is.null', LIGHT],
    ['/clients?name=match.a', { ...LIGHT, isCostly: true, hasPattern: true }],
    ['/clients?name=imatch.a', { ...LIGHT, isCostly: true, hasPattern: true }],
    ['/clients?or=(id.eq.1,and(name.fts.a,id.eq.2))', { ...LIGHT, isCostly: true }],
    ['/clients?select=id,projects!inner(id)&projects.name=like.*a&limit=1', { ...LIGHT, isCostly: true }],
    ['/clients?select=id,projects()&projects=is.null&limit=1', LIGHT],
    [`/clients?id=in.(${list(500)})`, LIGHT],
    [`/clients?id=in.(${list(501)})`, { ...LIGHT, isCostly: true }],
    [`/clients?or=(${Array.from({ length: 50 }, () => 'id.eq.1').join(',')})`, LIGHT],
    [`/clients?or=(${Array.from({ length: 51 }, () => 'id.eq.1').join(',')})`, { ...LIGHT, isCostly: true }],
  ])('%s is known to be long or is not', (address, weight) => {
    expect(weigh(address)).toEqual(weight);
  });

  it('of a hundred million cells is known to be long', () => {
    const costly = (fields: string, limit: number) =>
      weigh(`/clients?select=projects!inner(tasks(${fields}))&limit=${limit}`);
    expect(costly('id', 33)).toMatchObject({ isCostly: false });
    expect(costly('id', 34)).toMatchObject({ isCostly: true });
  });
});

describe('a change', () => {
  const weighChange = (line: string, options: object = {}) => {
    const planned = planWorkshop(line, { body: { name: 'x' }, ...options });
    return planned.ok && planned.value.kind === 'mutation' ? planned.value.weight : undefined;
  };

  it('weighs by what it gives back and by what it goes by', () => {
    const back = { headers: { prefer: 'return=representation' } };
    expect(weighChange('PATCH /clients?id=eq.1')).toEqual(LIGHT);
    expect(weighChange('PATCH /clients?name=like.*a')).toEqual({ ...LIGHT, isCostly: true });
    expect(weighChange('DELETE /clients?name=match.a')).toEqual({
      ...LIGHT,
      isCostly: true,
      hasPattern: true,
    });
    expect(weighChange('POST /clients?name=like.*a')).toEqual(LIGHT);
    expect(weighChange('PATCH /clients?id=eq.1&select=id,projects(id,tasks(id))', back)).toMatchObject({
      boundedParts: 2,
    });
  });
});

function fields(count: number): string {
  return Array.from({ length: count }, (_, at) => `c${at}`).join(',');
}

function list(count: number): string {
  return Array.from({ length: count }, (_, at) => at).join(',');
}
