import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { expect, test } from 'vitest';
import { describeServiceFailure } from './describe-service-failure.ts';
import { RowGone, RowUnread } from './writes/edit-conflict.ts';

const advice = 'Seu texto está guardado.';
const { folder, category, link } = SERVICE_WORDS;
const code = (name: string, message = '') => ({ code: name, message });
const isHttp = 'new row for relation "links" violates check constraint "links_url_is_http"';
const offline = 'Sem conexão com a internet. Verifique sua rede e tente de novo.';

test.each([
  [code('PT404'), folder.update, 'Pasta não encontrada'],
  [code('PGRST116'), folder.create, 'Não foram encontrados resultados para esta consulta.'],
  [code('23503'), category.create, 'Pasta não encontrada'],
  [code('23503'), link.create, 'Categoria não encontrada'],
  [code('23514', isHttp), link.create, 'Dados inválidos para criação de link: URL inválida'],
  [code('22P02'), link.update, 'Dados inválidos para atualização de link'],
  [code('PT400'), link.deleteMany, 'Nenhum link para excluir'],
  [code('XX000'), folder.create, 'Erro ao criar pasta. Seu texto está guardado.'],
  [code('57014'), folder.create, 'O serviço demorou demais para responder. Tente de novo.'],
  [code('42501'), folder.create, 'Você precisa estar logado para realizar esta ação'],
  [code('PGRST301'), folder.create, 'Você precisa estar autenticado para realizar esta operação'],
  [
    { ...code('P0001', 'Limite de 10.000 pastas atingido'), hint: 'bound_folders' },
    folder.create,
    'Limite de 10.000 pastas atingido',
  ],
  [
    { ...code('P0001', 'private'), hint: 'other' },
    folder.create,
    'Erro ao criar pasta. Seu texto está guardado.',
  ],
  [new Error('odd'), link.create, 'Erro ao adicionar link. Seu texto está guardado.'],
  [new TypeError('Failed to fetch'), link.create, offline],
  [
    new RowGone(),
    link.update,
    'Link não encontrado. O link foi excluído em outro lugar. Seu texto está guardado.',
  ],
  [new RowUnread(), folder.update, 'Erro ao carregar dados da pasta. Seu texto está guardado.'],
  [new RowUnread(), category.update, 'Erro ao carregar dados da categoria. Seu texto está guardado.'],
  [new RowUnread('', { cause: new TypeError('Failed to fetch') }), folder.update, offline],
])('%o', (error, words, text) => {
  expect(describeServiceFailure(error, words, advice)).toBe(text);
});
