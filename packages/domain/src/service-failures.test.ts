import { expect, test } from 'vitest';
import { SERVICE_WORDS } from './messages/service-messages.ts';
import { readServiceFailure } from './service-failures.ts';

const check = (constraint: string) => ({
  code: '23514',
  message: `new row for relation "x" violates check constraint "${constraint}"`,
});

test.each([
  ['PT404', 'not_found'],
  ['PT409', 'place_not_found'],
  ['23503', 'place_not_found'],
  ['42501', 'signed_out'],
  ['PGRST301', 'token_refused'],
  ['PGRST302', 'token_refused'],
  ['PGRST303', 'token_refused'],
  ['57014', 'timed_out'],
  ['PGRST003', 'timed_out'],
  ['22P02', 'invalid'],
  ['22001', 'invalid'],
  ['23502', 'invalid'],
  ['PT400', 'invalid'],
  ['PGRST102', 'invalid'],
  ['XX000', 'failed'],
  ['57P01', 'failed'],
  ['53300', 'failed'],
  ['08006', 'failed'],
  ['40001', 'failed'],
  ['PGRST000', 'failed'],
  ['PGRST001', 'failed'],
  ['PGRST002', 'failed'],
  ['PGRSTX00', 'failed'],
  // A single-row query that finds nothing has a text of its own, whatever it was about.
  ['PGRST116', 'unknown'],
  ['23505', 'unknown'],
  ['P0001', 'unknown'],
  ['toString', 'unknown'],
])('code %s means %s', (code, kind) => {
  expect(readServiceFailure({ code, message: '' }).kind).toBe(kind);
});

test.each([
  ['folders_name_length', 'O nome da pasta deve ter no máximo 50 caracteres'],
  ['folders_name_trimmed', 'O nome da pasta é obrigatório'],
  ['categories_name_length', 'O nome da categoria deve ter no máximo 50 caracteres'],
  ['categories_name_trimmed', 'O nome da categoria é obrigatório'],
  ['categories_description_length', 'A descrição deve ter no máximo 200 caracteres'],
  ['links_title_length', 'O título deve ter no máximo 100 caracteres'],
  ['links_title_not_blank', 'O título é obrigatório'],
  ['links_description_length', 'A descrição deve ter no máximo 1200 caracteres'],
  ['links_url_length', 'A URL deve ter no máximo 500 caracteres'],
  ['links_url_is_http', 'URL inválida'],
  ['something_else', null],
  ['constructor', null],
])('constraint %s reads %s', (constraint, detail) => {
  expect(readServiceFailure(check(constraint))).toEqual({ kind: 'invalid', detail });
});

test("a gateway's page is the service's failure; anything else is not known", () => {
  const page = Object.assign(new Error('<html>502 Bad Gateway</html>'), { name: 'PostgrestError', code: '' });
  expect(readServiceFailure(page)).toEqual({ kind: 'failed' });
  expect(readServiceFailure(new DOMException('late', 'TimeoutError'))).toEqual({ kind: 'timed_out' });
  for (const odd of [new TypeError('x is undefined'), null, undefined, 'PGRST116', 7, {}]) {
    expect(readServiceFailure(odd)).toEqual({ kind: 'unknown' });
  }
});

test('the catalogue of section 8, to the letter', () => {
  const { folder, category, link } = SERVICE_WORDS;
  expect([folder.create.notFound, category.create.notFound, link.create.notFound]).toEqual([
    'Pasta não encontrada',
    'Categoria não encontrada',
    'Link não encontrado',
  ]);
  expect([folder.create, folder.update, link.create, link.update].map(({ invalid }) => invalid)).toEqual([
    'Dados inválidos para criação de pasta',
    'Dados inválidos para atualização de pasta',
    'Dados inválidos para criação de link',
    'Dados inválidos para atualização de link',
  ]);
  expect([folder, category, link].map(({ create, update }) => [create.failed, update.failed])).toEqual([
    ['Erro ao criar pasta', 'Erro ao atualizar pasta'],
    ['Erro ao criar categoria', 'Erro ao atualizar categoria'],
    ['Erro ao criar link', 'Erro ao atualizar link'],
  ]);
  expect(folder.delete.failed).toBe('Erro ao excluir pasta');
  expect(link.delete.failed).toBe('Erro ao excluir links');
  expect(link.create.unknown).toBe('Erro ao adicionar link');
  expect(link.deleteMany).toMatchObject({
    invalid: 'Nenhum link para excluir',
    unknown: 'Erro ao excluir os links selecionados',
  });
  expect(category.create.placeNotFound).toBe('Pasta não encontrada');
  expect(link.create.placeNotFound).toBe('Categoria não encontrada');
});
