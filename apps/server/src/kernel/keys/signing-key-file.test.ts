import { describe, expect, it } from 'vitest';
import { parseSigningKeys } from './parse-signing-keys.ts';
import {
  describeKeys,
  generateStandbyKey,
  type KeptKey,
  type KeyPlan,
  planAddition,
  planRemoval,
  planRotation,
} from './signing-key-file.ts';

function keysOf(plan: KeyPlan): readonly KeptKey[] {
  if ('fault' in plan) throw new Error(plan.fault);
  return plan.keys;
}
const kidOf = (key: KeptKey | undefined) => String(key?.['kid']);
const [first, second] = [generateStandbyKey('ES256'), generateStandbyKey('RS256')];
const one = keysOf(planAddition([], first));
const two = keysOf(planAddition(one, second));

describe('a file of signing keys', () => {
  it('begins with a key that signs; each further one waits', () => {
    expect(describeKeys(one)).toEqual([`${kidOf(first)} ES256 assina`]);
    expect(describeKeys(two)).toEqual([`${kidOf(first)} ES256 assina`, `${kidOf(second)} RS256 só verifica`]);
    expect(parseSigningKeys(JSON.stringify(two)).ok).toBe(true);
  });

  it('is rotated to the key that waits, and goes on verifying with the one before', () => {
    const rotated = keysOf(planRotation(two, undefined));
    expect(describeKeys(rotated)).toEqual([
      `${kidOf(first)} ES256 só verifica`,
      `${kidOf(second)} RS256 assina`,
    ]);
    expect(parseSigningKeys(JSON.stringify(rotated)).ok).toBe(true);
    expect(planRotation(two, 'nenhuma')).toEqual({ fault: 'Não há chave nenhuma à espera.' });
    expect(planRotation(one, undefined)).toEqual({ fault: expect.stringContaining('Não há chave à espera') });
  });

  it('is never rotated to a key whose private part is elsewhere', () => {
    const { d: _d, ...publicOnly } = generateStandbyKey('ES256');
    expect(planRotation([...one, publicOnly], undefined)).toHaveProperty('fault');
  });

  it('gives up any key but the one that signs', () => {
    expect(keysOf(planRemoval(two, kidOf(second)))).toEqual(one);
    expect(planRemoval(two, kidOf(first))).toEqual({
      fault: expect.stringContaining('É a chave que assina'),
    });
    expect(planRemoval(two, 'nenhuma')).toEqual({ fault: 'Não há chave nenhuma.' });
  });
});
