import { expect, test } from 'vitest';
import { PartlyDone } from '../../../shared/lib/writes/call-in-parts.ts';
import { describeDeletionFailure } from './describe-deletion-failure.ts';

const refused = { code: 'XX000', message: 'interno' };

test.each([
  [
    'the service lacks the function',
    { code: 'PGRST202', message: 'interno' },
    'Função de exclusão múltipla não disponível',
  ],
  ['the list was empty', { code: 'PT400', message: 'Nenhum link para excluir' }, 'Nenhum link para excluir'],
  ['anything else', refused, 'Não foi possível excluir os links selecionados'],
])('when %s, the toast says so', (_when, error, title) => {
  expect(describeDeletionFailure(error, true, 3).title).toBe(title);
});

test('a single link has its own title; below stand the words of the service, never the internal ones', () => {
  expect(describeDeletionFailure(refused, false, 1)).toEqual({
    title: 'Não foi possível excluir o link',
    description: 'Erro ao excluir links. Tente de novo.',
  });
});

test('when a part went, the toast says how many did not, and why', () => {
  expect(describeDeletionFailure(new PartlyDone(['a', 'b'], refused), true, 5)).toEqual({
    title: 'Não foi possível excluir os links selecionados',
    description: 'Faltaram 3 links. Erro ao excluir links. Tente de novo.',
  });
});
