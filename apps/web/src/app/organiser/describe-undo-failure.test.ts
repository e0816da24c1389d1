import { expect, test } from 'vitest';
import { describeUndoFailure, NothingToRestore } from './use-undoable-deletion.ts';

test.each([
  [new NothingToRestore('nothing'), 'Já foi restaurado ou não está mais na Lixeira.', true],
  [{ code: 'PT409', message: 'x' }, 'A categoria ou pasta de origem não existe mais.', true],
  [{ code: '23505', message: 'x' }, 'Já existe uma pasta com este nome. Renomeie-a e tente de novo.', false],
  [
    { code: 'P0001', hint: 'plan_limit_links', details: '{"max":20,"plan":"free"}' },
    'Limite de 20 links atingido.',
    false,
  ],
  [
    { code: 'P0001', hint: 'plan_limit_categories', details: '{"max":5,"plan":"free"}' },
    'Limite de 5 categorias atingido.',
    false,
  ],
  [{ code: 'XX000', message: 'segredo interno' }, 'O que foi excluído ainda pode voltar.', false],
  [
    new TypeError('Failed to fetch'),
    'Sem conexão com a internet. Verifique sua rede e tente de novo.',
    false,
  ],
])('%o reads %s', (error, reason, final) => {
  expect(describeUndoFailure(error)).toEqual({ reason, final });
});
