import { describe, expect, test } from 'vitest';
import { type AccountMailKind, writeAccountMail } from './mail-templates.ts';

const write = (kind: AccountMailKind, name: string | null = 'Ana de Souza') =>
  writeAccountMail({
    kind,
    email: 'ana@exemplo.com.br',
    name,
    deadline: new Date('2027-03-31T12:00:00Z'),
    siteUrl: 'https://linkoteca.test',
  });

test('the mail after a deletion names the last whole day on which signing in restores', () => {
  const mail = write('deleted');
  expect(mail.to).toBe('ana@exemplo.com.br');
  expect(mail.subject).toBe('Sua conta na Linkoteca foi excluída');
  expect(mail.text).toContain('Entre de novo até 30 de março de 2027');
  expect(mail.text).toContain('https://linkoteca.test/login');
});

test('warnings name the day of the suspension, and the last one says that it is the last', () => {
  for (const kind of ['inactive_first', 'inactive_second'] as const)
    expect(write(kind).text).toContain('Sua conta será suspensa em 31 de março de 2027');
  expect(write('inactive_second').subject).toMatch(/^Último aviso/);
  expect(write('inactive_first').subject).not.toMatch(/Último/);
});

test('a suspended account is told how to come back', () => {
  expect(write('suspended').text).toContain('Para reativar tudo na hora, basta entrar.');
});

describe('a name', () => {
  test.each([
    ['Ana de Souza', 'Olá, Ana de Souza!'],
    ['  Ana\n Souza ', 'Olá, Ana Souza!'],
    [null, 'Olá!'],
    ['visite golpe.com', 'Olá!'],
    ['https://golpe', 'Olá!'],
    ['x'.repeat(80), 'Olá!'],
    ['a\u202Ebc', 'Olá!'],
  ])('%j greets as %j', (name, greeting) => {
    expect(write('deleted', name).text.split('\n\n')[1]).toBe(greeting);
  });

  test('is no markup', () => {
    expect(write('deleted', '<b>Ana</b>').html).not.toContain('<b>');
  });
});
