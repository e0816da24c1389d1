import { expect, test } from 'vitest';
import { InvalidRow } from './check-row.ts';
import { OfflineError } from './connection/offline-error.ts';
import { describeError } from './describe-error.ts';

const fallback = 'Não foi possível salvar o link';

test.each([
  [
    { code: 'PGRST116', message: 'JSON object requested' },
    'Não foram encontrados resultados para esta consulta.',
  ],
  [
    { code: 'PGRST301', message: 'JWT expired' },
    'Você precisa estar autenticado para realizar esta operação',
  ],
  [
    { code: '42501', message: 'permission denied for table links' },
    'Você precisa estar logado para realizar esta ação',
  ],
  [new TypeError('Failed to fetch'), 'Sem conexão com a internet. Verifique sua rede e tente de novo.'],
  [new OfflineError(), 'Sem conexão. Tente de novo quando voltar.'],
  [new InvalidRow('ID de usuário inválido'), 'ID de usuário inválido'],
  [{ code: '23514', message: 'violates check constraint "links_url_is_http"' }, fallback],
  ['text', fallback],
  [null, fallback],
])('%o', (error, words) => {
  expect(describeError(error, fallback)).toBe(words);
});
