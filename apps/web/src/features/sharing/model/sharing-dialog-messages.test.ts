import { expect, test } from 'vitest';
import { describeRepeatedEmails } from './sharing-dialog-messages.ts';

test('addresses that are on the list already are named, three of many', () => {
  expect(describeRepeatedEmails(['a@x.br'])).toBe('Este email já foi adicionado: a@x.br');
  expect(describeRepeatedEmails(['a', 'b', 'c', 'd', 'e'])).toBe(
    'Estes e-mails já foram adicionados: a, b, c e mais 2',
  );
});
