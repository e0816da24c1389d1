import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { expectConsoleError } from '../../../shared/test/setup-browser-tests.ts';
import { HistoryDialog } from './history-dialog.tsx';

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? (
    <HistoryDialog open category={{ id: 'c1', name: 'Pães' }} ofMembers={false} onClose={() => undefined} />
  ) : null;
}

type Row = Record<string, unknown>;
let numbers = 0;
const change = (act: string, wish: Row = {}): Row => {
  numbers += 1;
  return {
    id: numbers,
    act,
    count: 1,
    subject: 'Pão',
    program: null,
    person: null,
    changed_at: '2025-03-05T13:00:00Z',
    undo: null,
    ...wish,
  };
};

async function open(
  rows: readonly Row[],
  failure: FakeAnswer | null = null,
  answerAct: (request: FakeRequest) => FakeAnswer = () => ({ body: {} }),
) {
  const held = { failure };
  const asked: Row[] = [];
  const respond = (request: FakeRequest): FakeAnswer => {
    const { body, path } = request;
    if (path.includes('program_act')) return answerAct(request);
    if (held.failure) return held.failure;
    asked.push((body ?? {}) as Row);
    const before = Number((body as Row | null)?.['before'] ?? Number.POSITIVE_INFINITY);
    return { body: rows.filter(({ id }) => Number(id) < before).slice(0, 50) };
  };
  await renderWithProviders(<Guarded />, { respond });
  return { asked, held, user: userEvent.setup() };
}
const lines = async () =>
  within(await screen.findByRole('list', { name: /^Mudanças/ }))
    .getAllByRole('listitem')
    .map((item) => item.firstChild?.textContent);

test('says what changed, when, and through whom', async () => {
  const { asked } = await open([
    change('saved', { program: '<b>Leitor</b>' }),
    change('saved', { count: 1200, program: '' }),
    change('changed', { subject: null }),
    change('moved_in', { count: 2, subject: null }),
    change('moved_out', { program: 'Robô', person: '' }),
    change('deleted', { person: 'Ana' }),
    change('tagged', { count: 30, subject: null }),
    change('renamed', { subject: 'Receitas' }),
    change('published', { subject: null }),
    change('unpublished', { subject: null }),
    change('shared', { count: 2, subject: null }),
    change('unshared', { subject: null }),
    change('um_dia_novo'),
  ]);
  expect(await lines()).toEqual([
    'Link salvo: “Pão”',
    '1.200 links salvos, entre eles “Pão”',
    'Link alterado',
    '2 links movidos para cá',
    'Link movido para outra categoria: “Pão”',
    'Link excluído: “Pão”',
    '30 links com outras tags',
    'Nome ou descrição alterados: “Receitas”',
    'Tornada pública',
    'Deixou de ser pública',
    'Compartilhada com 2 pessoas',
    'Compartilhamento retirado de 1 pessoa',
    'Categoria alterada',
  ]);
  expect(screen.getByText('Programa “<b>Leitor</b>”')).toBeTruthy();
  expect(screen.getByText('Linkoteca')).toBeTruthy();
  expect(screen.getByText('Conta encerrada · programa “Robô”')).toBeTruthy();
  expect(screen.getByText('Ana')).toBeTruthy();
  expect(screen.getAllByText(/^05\/03\/2025 às/)).toHaveLength(13);
  expect(asked).toEqual([{ category_id: 'c1' }]);
  expect((await axe.run(document.body)).violations).toEqual([]);
});

test('goes on a page at a time', async () => {
  const rows = Array.from({ length: 60 }, (_, n) =>
    change('saved', { id: 60 - n, subject: `Link ${60 - n}` }),
  );
  const { user, asked } = await open(rows);
  expect(await lines()).toHaveLength(50);
  await user.click(screen.getByRole('button', { name: 'Mostrar mais' }));
  expect(await screen.findByText('Link salvo: “Link 1”')).toBeTruthy();
  expect(await lines()).toHaveLength(60);
  expect(asked.at(-1)).toEqual({ category_id: 'c1', before: 11 });
  expect(screen.queryByRole('button', { name: 'Mostrar mais' })).toBeNull();
});

test('says where nothing changed', async () => {
  await open([]);
  expect(await screen.findByText('Nada mudou nos últimos 30 dias.')).toBeTruthy();
});

test('a failure is told, and can be tried again', async () => {
  const { held, user } = await open([change('saved')], {
    status: 500,
    body: { code: 'XX000', message: 'segredo do banco' },
  });
  const again = await screen.findByRole('button', { name: 'Tentar de novo' });
  expect(screen.getByText('Não foi possível carregar o histórico')).toBeTruthy();
  expect(screen.queryByText(/segredo do banco/)).toBeNull();
  held.failure = null;
  await user.click(again);
  expect(await lines()).toEqual(['Link salvo: “Pão”']);
  expectConsoleError(/read failed/);
});

test('what a program did is undone as one act, after it was said what comes back', async () => {
  const acts: (readonly [string, unknown])[] = [];
  const rows = [change('moved_in', { id: 7, count: 38, program: 'Robô', undo: 'possible' }), change('saved')];
  const { user } = await open(rows, null, ({ path, body }) => {
    acts.push([path.split('/').at(-1) ?? '', body]);
    if (path.includes('undo_')) rows[0] = { ...rows[0], undo: 'undone' };
    return { body: { moved: 38, changed_since: 2 } };
  });
  await lines();
  const button = screen.getByRole('button', { name: 'Desfazer' });
  await user.click(button);
  const question = await screen.findByRole('alertdialog', { name: 'Desfazer o que o programa “Robô” fez?' });
  expect(
    within(question)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['38 links voltam para onde estavam.', '2 já foram mudados depois e ficam como estão.']);
  expect(acts).toEqual([['program_act', { change_id: 7 }]]);
  expect((await axe.run(document.body)).violations).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Desfazer' }));
  expect(await screen.findByText('Desfeito', { selector: 'li p' })).toBeTruthy();
  expect(acts.slice(1)).toEqual([['undo_program_act', { change_id: 7 }]]);
  expect(screen.queryByRole('button', { name: 'Desfazer' })).toBeNull();
});

test('a question that is not answered undoes nothing', async () => {
  const acts: string[] = [];
  const { user } = await open([change('saved', { program: 'Robô', undo: 'possible' })], null, ({ path }) => {
    acts.push(path);
    return { body: { saved: 1 } };
  });
  await lines();
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancelar' }));
  expect(acts).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Desfazer' })).toBeTruthy();
});

test('where nothing can come back it says why, and asks nothing', async () => {
  const { user } = await open([change('saved', { program: 'Robô', undo: 'possible' })], null, () => ({
    body: { changed_since: 2, place_gone: 1 },
  }));
  await lines();
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  expect((await screen.findByRole('status')).textContent).toBe(
    'Não há nada a desfazer. 2 já foram mudados depois e ficam como estão. 1 fica: a categoria de antes não existe mais.',
  );
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('only what a program did can be undone, and what cannot says so', async () => {
  await open([
    change('saved'),
    change('saved', { program: '' }),
    change('saved', { program: 'Robô', undo: 'undone' }),
    change('saved', { program: 'Robô', undo: 'too_large' }),
    change('published', { program: 'Robô', undo: 'never' }),
    change('saved', { program: 'Robô', undo: 'um_dia_novo' }),
  ]);
  await lines();
  expect(screen.queryByRole('button', { name: 'Desfazer' })).toBeNull();
  expect(screen.getByText('Desfeito')).toBeTruthy();
  expect(screen.getByText('Não dá para desfazer: foram mudanças demais de uma vez.')).toBeTruthy();
  expect(screen.getByText('Não dá para desfazer daqui.')).toBeTruthy();
});

test('a refusal is told in the words of the database', async () => {
  const { user } = await open([change('saved', { program: 'Robô', undo: 'possible' })], null, ({ path }) =>
    path.includes('undo_')
      ? { status: 409, body: { code: 'PT409', message: 'O programa ainda está trabalhando nisto.' } }
      : { body: { saved: 1 } },
  );
  await lines();
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Desfazer' }));
  expect(await screen.findByText('O programa ainda está trabalhando nisto.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Desfazer' })).toBeTruthy();
});
