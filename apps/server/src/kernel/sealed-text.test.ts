import { expect, test } from 'vitest';
import { createTextSealer } from './sealed-text.ts';

const OLD = 'o segredo que vai embora desta instalação';
const NEW = 'o segredo que entra no lugar do primeiro';
const open = (secrets: readonly string[], purpose = 'teste') => createTextSealer(secrets, purpose);

test('what is sealed shows nothing of the text, is never twice the same, and opens for its owner', () => {
  const sealer = open([NEW]);
  const sealed = [sealer.seal('JBSWY3DP', 'a'), sealer.seal('JBSWY3DP', 'a')];
  expect(sealed[0]).not.toBe(sealed[1]);
  expect(sealed.join()).not.toContain('JBSWY3DP');
  for (const text of sealed) expect(sealer.unseal(text, 'a')).toEqual({ text: 'JBSWY3DP', outdated: false });
});

test('it opens nowhere else: in another row, for another purpose, with another secret, or changed by one character', () => {
  const sealed = open([NEW]).seal('JBSWY3DP', 'a');
  expect(open([NEW]).unseal(sealed, 'b')).toBeUndefined();
  expect(open([NEW], 'outro').unseal(sealed, 'a')).toBeUndefined();
  expect(open([OLD]).unseal(sealed, 'a')).toBeUndefined();
  for (let at = sealed.lastIndexOf(':') + 1; at < sealed.length; at++) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    // The last character may hold bits that belong to no byte.
    if (at < sealed.length - 1) expect(open([NEW]).unseal(changed, 'a')).toBeUndefined();
  }
  for (const broken of [
    'aes-256-gcm:v1:',
    'aes-256-gcm:v1:x:',
    `${sealed.slice(0, sealed.lastIndexOf(':'))}:AAAA`,
  ])
    expect(open([NEW]).unseal(broken, 'a')).toBeUndefined();
});

test('an earlier secret opens it, and says that it should be sealed anew; so does text that nobody sealed', () => {
  const sealed = open([OLD]).seal('JBSWY3DP', 'a');
  const rotating = open([NEW, OLD]);
  expect(rotating.unseal(sealed, 'a')).toEqual({ text: 'JBSWY3DP', outdated: true });
  expect(rotating.unseal('JBSWY3DP', 'a')).toEqual({ text: 'JBSWY3DP', outdated: true });
  const anew = rotating.seal('JBSWY3DP', 'a');
  expect(open([NEW]).unseal(anew, 'a')).toEqual({ text: 'JBSWY3DP', outdated: false });
  expect(anew.startsWith(rotating.prefix)).toBe(true);
  expect(sealed.startsWith(rotating.prefix)).toBe(false);
});
