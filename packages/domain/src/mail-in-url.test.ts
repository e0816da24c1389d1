import { describe, expect, test } from 'vitest';
import { parseMailInUrl } from './mail-in-url.ts';

const SECRET = 'segredo-de-exemplo';

test.each(['postmark', 'mailgun', 'sendgrid'])('%s is told by the scheme', (provider) => {
  expect(parseMailInUrl(` ${provider}://${SECRET}@Entrada.Exemplo.com.br `)).toEqual({
    ok: true,
    mailIn: { provider, secret: SECRET, domain: 'entrada.exemplo.com.br' },
  });
});

test('a secret may have characters that an address has to write otherwise', () => {
  expect(parseMailInUrl('mailgun://key%2Fcom%40tudo%3A2026@mg.exemplo.com')).toMatchObject({
    ok: true,
    mailIn: { secret: 'key/com@tudo:2026' },
  });
});

describe('what is wrong is named, all of it, and repeats no secret', () => {
  test.each<[string, readonly RegExp[]]>([
    ['postmark', [/deve ser um endereço como/]],
    [`ses://${SECRET}@entrada.exemplo.com.br`, [/deve começar com postmark:/]],
    ['postmark://entrada.exemplo.com.br', [/antes do @ o segredo/]],
    ['postmark://curto@entrada.exemplo.com.br', [/antes do @ o segredo/]],
    [`postmark://%E0%A4%A@entrada.exemplo.com.br`, [/antes do @ o segredo/]],
    [`postmark://${SECRET}@localhost`, [/o domínio que recebe/]],
    [`postmark://${SECRET}@127.0.0.1`, [/o domínio que recebe/]],
    [`postmark://um-usuario-e-uma-senha:${SECRET}@entrada.exemplo.com.br`, [/não deve ter senha/]],
    [`postmark://${SECRET}@entrada.exemplo.com.br:25/x?y#z`, [/não deve ter senha, porta nem caminho/]],
    ['smtp://curto@servidor:25', [/deve começar/, /segredo/, /domínio/, /porta/]],
  ])('%s', (text, expected) => {
    const read = parseMailInUrl(text);
    if (read.ok) throw new Error('it was taken');
    expect(read.faults).toHaveLength(expected.length);
    for (const [at, pattern] of expected.entries()) expect(read.faults[at]).toMatch(pattern);
    expect(read.faults.join()).not.toContain(SECRET);
  });
});
