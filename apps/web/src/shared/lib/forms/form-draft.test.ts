import { expect, test, vi } from 'vitest';
import { formDraft } from './form-draft.ts';

const empty = { name: '', description: '' };

test('what was typed comes back until it is cleared', () => {
  const draft = formDraft<typeof empty>('pasta');
  draft.write({ name: 'Ação 👍', description: 'x' });
  expect(formDraft<typeof empty>('pasta').read(empty)).toEqual({ name: 'Ação 👍', description: 'x' });
  expect(formDraft<typeof empty>('outra').read(empty)).toEqual(empty);
  draft.clear();
  expect(draft.read(empty)).toEqual(empty);
});

test.each(['não é json', 'null', '[]', '"texto"', '{"name":1,"__proto__":{"name":"x"},"outro":"y"}'])(
  'a spoiled draft %j is no draft',
  (stored) => {
    localStorage.setItem('linkoteca-draft-pasta', stored);
    expect(formDraft<typeof empty>('pasta').read(empty)).toEqual(empty);
  },
);

test('a forbidden storage does not break the form', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const draft = formDraft<typeof empty>('pasta');
  expect(() => draft.write({ name: 'a', description: '' })).not.toThrow();
  expect(draft.read(empty)).toEqual(empty);
});
