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
    <HistoryDialog open category={{ id: 'c1', name: 'Pães' }} onClose={() => undefined} />
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
    ...wish,
  };
};

async function open(rows: readonly Row[], failure: FakeAnswer | null = null) {
  const held = { failure };
  const asked: Row[] = [];
  const respond = ({ body }: FakeRequest): FakeAnswer => {
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
  expect(screen.getAllByText(/^05\/03\/2025 às/)).toHaveLength(12);
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
