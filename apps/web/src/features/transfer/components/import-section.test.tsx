import { PLANS } from '@linkoteca/domain/plans';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ConnectionContext } from '../../../shared/lib/connection/connection-context.tsx';
import { createFakeConnection } from '../../../shared/test/create-fake-connection.ts';
import type { FakeAnswer } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { ImportSection } from './import-section.tsx';

interface Sent {
  readonly import_id: string;
  readonly part: number;
  readonly content: {
    readonly places: readonly { readonly folder: string }[];
    readonly links: readonly { readonly url: string }[];
    readonly total?: object;
  };
}

const BROKEN: FakeAnswer = {
  status: 500,
  body: { code: 'XX000', message: 'interno', details: null, hint: null },
};

let sent: Sent[];
let undone: unknown[];
/** What an answer to that waits for. */
let undoing: Promise<void>;
/** What the service has, and how it takes a part. */
let counts: object;
/** Null for a service that does not answer. */
let known: readonly number[] | null;
let take: (part: number) => FakeAnswer | Promise<FakeAnswer>;
const refused = vi.fn();

beforeEach(() => {
  sent = [];
  undone = [];
  undoing = Promise.resolve();
  known = [];
  counts = { link_count: 490, category_count: 1 };
  take = () => ({ body: { folders: 0, categories: 0, links: sent.at(-1)?.content.links.length, known: 0 } });
  refused.mockReset();
});

async function open(plan: keyof typeof PLANS = 'pro', connection = createFakeConnection()) {
  const view = await renderWithProviders(
    <ConnectionContext value={connection}>
      <ImportSection plan={PLANS[plan]} plansLink={<a href="/plans">Ver planos</a>} onRefused={refused} />
    </ConnectionContext>,
    {
      respond: async ({ path, body }) => {
        if (path === 'library_counts') return { body: [counts] };
        if (path === 'folders') return { body: [{ id: 'f', name: 'Pasta 0' }] };
        if (path === 'categories') return { body: [{ folder_id: 'f', name: 'Geral' }] };
        if (path === 'rpc/preview_import') return known === null ? BROKEN : { body: known };
        if (path === 'rpc/last_import') return { body: null };
        if (path === 'rpc/undo_import') {
          undone.push(body);
          await undoing;
          return { body: { folders: 0, categories: 0, links: 500, done: undone.length > 1 } };
        }
        if (path !== 'rpc/import_library') return { body: [] };
        sent.push(body as Sent);
        return take((body as Sent).part);
      },
    },
  );
  const choose = (content: string, name = 'favoritos.csv') =>
    fireEvent.change(view.container.querySelector('input[type=file]') as HTMLInputElement, {
      target: { files: [new File([content], name)] },
    });
  return { ...view, choose };
}

const table = (count: number, folders = 2) =>
  [
    'titulo;url;pasta',
    ...Array.from({ length: count }, (_, n) => `L${n};https://a.br/${n};Pasta ${n % folders}`),
  ].join('\n');
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

test('names what the plan has no room for before anything is written, and writes what fits', async () => {
  known = [0];
  const { choose } = await open('plus');
  choose(table(20));
  expect((await screen.findByText(/No plano Plus cabem/)).textContent).toContain(
    'mais 10 links e mais 19 categorias',
  );
  expect(screen.getByText('Pasta 1: 9 links')).toBeTruthy();
  expect(screen.getByText(/1 link já está na mesma categoria/)).toBeTruthy();
  expect(sent).toEqual([]);
  // Without the first folder the second fits.
  fireEvent.click(screen.getByRole('checkbox', { name: /^Pasta 0/ }));
  expect(screen.queryByText(/No plano Plus cabem/)).toBeNull();
  press('Importar 10 links');
  await screen.findByText('Importação concluída: 10 links.');
  expect(sent).toHaveLength(1);
  expect(sent[0]?.content).toMatchObject({ total: { links: 10, categories: 1 } });
  expect(new Set(sent[0]?.content.places.map(({ folder }) => folder))).toEqual(new Set(['Pasta 1']));
});

test('shows the tree that it will make, and leaves a single category of it out', async () => {
  const { choose } = await open();
  const list = (name: string, links: string) => `<DT><H3>${name}</H3><DL>${links}</DL>`;
  const link = (name: string) => `<DT><A HREF="https://${name}.br/">${name}</A>`;
  choose(
    `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Barra</H3><DL>${list(
      'Casa',
      list('Receitas', link('bolo') + link('sopa')) + list('Contas', link('luz')),
    )}</DL></DL>`,
    'favoritos.html',
  );
  expect(await screen.findByRole('checkbox', { name: /^Casa ?2 categorias · 3 links$/ })).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox', { name: /^Receitas ?2 links$/ }));
  press('Importar 1 link');
  await screen.findByText(/^Importação concluída/);
  expect(sent[0]?.content.places).toMatchObject([{ folder: 'Casa', category: 'Contas' }]);
  expect(sent[0]?.content.links.map(({ url }) => url)).toEqual(['https://luz.br/']);
});

const CASA = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>${[
  ['Casa', 'Receitas', ['bolo', 'sopa']],
  ['Velha', 'Cozinha', ['bolo', 'luz']],
]
  .map(
    ([folder, category, names]) =>
      `<DT><H3>${folder}</H3><DL><DT><H3>${category}</H3><DL>${(names as string[])
        .map((name) => `<DT><A HREF="https://${name}.br/">${name}</A>`)
        .join('')}</DL></DL>`,
  )
  .join('')}</DL>`;
const rename = async (from: string, to: string) => {
  press(`Renomear ${from}`);
  const field = screen.getByRole('textbox');
  fireEvent.change(field, { target: { value: to } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
};

test('a folder and a category are renamed in place, a name that is too long ends after a word, and what was left out stays so', async () => {
  const { choose } = await open();
  choose(CASA, 'favoritos.html');
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Cozinha/ }));
  await rename('Velha', 'Do computador antigo');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Cozinha/ }).checked).toBe(false);
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: /^Do computador antigo/ }));
  fireEvent.keyDown(screen.getByRole('checkbox', { name: /^Receitas/ }), { key: 'F2' });
  const field = screen.getByLabelText('Nome da Categoria');
  fireEvent.change(field, { target: { value: '  Receitas da família que ainda não foram experimentadas ' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(
    await screen.findByRole('checkbox', { name: /^Receitas da família que ainda não foram…/ }),
  ).toBeTruthy();
  press('Importar 2 links');
  await screen.findByText(/^Importação concluída/);
  expect(sent[0]?.content.places).toMatchObject([
    { folder: 'Do computador antigo', category: null },
    { folder: 'Casa', category: 'Receitas da família que ainda não foram…' },
  ]);
});

test('a name that the file has already is refused, and stays in its field', async () => {
  const { choose } = await open();
  choose(CASA, 'favoritos.html');
  await screen.findByRole('checkbox', { name: /^Velha/ });
  press('Renomear Velha');
  const field = screen.getByLabelText<HTMLInputElement>('Nome da Pasta');
  fireEvent.change(field, { target: { value: 'Casa' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(await screen.findByText('Já existe uma pasta com este nome')).toBeTruthy();
  expect(field.value).toBe('Casa');
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(screen.getByRole('checkbox', { name: /^Velha/ })).toBeTruthy();
});

test('one category goes into another: what both have is there once, and the plan is measured anew', async () => {
  counts = { link_count: 497, category_count: 19 };
  const { choose } = await open('plus');
  choose(CASA, 'favoritos.html');
  expect((await screen.findByText(/No plano Plus cabem/)).textContent).toContain('mais 1 categoria');
  press('Juntar Cozinha com…');
  fireEvent.click(await screen.findByRole('option', { name: /^Receitas/ }));
  expect(await screen.findByRole('checkbox', { name: /^Receitas ?3 links$/ })).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: /^Velha/ })).toBeNull();
  expect(screen.queryByText(/No plano Plus cabem/)).toBeNull();
  expect(screen.getByText('O que fica de fora: 1')).toBeTruthy();
  press('Importar 3 links');
  await screen.findByText(/^Importação concluída/);
  expect(sent[0]?.content.links.map(({ url }) => url).toSorted()).toEqual([
    'https://bolo.br/',
    'https://luz.br/',
    'https://sopa.br/',
  ]);
});

test('what gets the name of a category of the library is compared with it, and a comparison that fails changes nothing', async () => {
  const { choose } = await open();
  choose(CASA, 'favoritos.html');
  await screen.findByRole('button', { name: 'Importar 4 links' });
  await rename('Casa', 'Pasta 0');
  known = [0];
  await rename('Receitas', 'Geral');
  expect(await screen.findByRole('button', { name: 'Importar 3 links' })).toBeTruthy();
  expect(screen.getByText(/1 link já está na mesma categoria/)).toBeTruthy();
  // Away from there it is new again.
  await rename('Geral', 'Receitas');
  expect(await screen.findByRole('button', { name: 'Importar 4 links' })).toBeTruthy();
  known = null;
  press('Renomear Receitas');
  const field = screen.getByLabelText<HTMLInputElement>('Nome da Categoria');
  fireEvent.change(field, { target: { value: 'Geral' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(await screen.findByText('Não foi possível comparar o arquivo com a sua biblioteca')).toBeTruthy();
  expect(field.value).toBe('Geral');
});

test('keeps folders apart whose shortened names meet, and shows what they will be called', async () => {
  const { choose } = await open();
  const long = 'Relatórios trimestrais da diretoria de investimentos de';
  choose(`titulo;url;pasta\nA;https://a.br;${long} 2023\nB;https://b.br;${long} 2024`);
  fireEvent.click(await screen.findByText('Nomes encurtados: 2'));
  expect(screen.getByText(`${long} 2024`)).toBeTruthy();
  press('Importar 2 links');
  await screen.findByText(/^Importação concluída/);
  expect(sent[0]?.content.places.map(({ folder }) => folder).toSorted()).toEqual([
    'Relatórios trimestrais da … investimentos de 2023',
    'Relatórios trimestrais da … investimentos de 2024',
  ]);
});

test('goes on by itself where it was when the network comes back, and sends the lost part again', async () => {
  const connection = createFakeConnection();
  const { choose } = await open('pro', connection);
  choose(table(1200, 1));
  let isAway = true;
  take = (part) => {
    if (part === 1 && isAway) throw new TypeError('Failed to fetch');
    return { body: { folders: 0, categories: 0, links: sent.at(-1)?.content.links.length } };
  };
  await screen.findByRole('button', { name: 'Importar 1.200 links' });
  press('Importar 1.200 links');
  await screen.findByText(/Sem conexão\. A importação continua sozinha/);
  act(() => connection.set(false));
  isAway = false;
  act(() => connection.set(true));
  await screen.findByText('Importação concluída: 1.200 links.');
  expect(sent.map(({ part }) => part)).toEqual([0, 1, 1, 2]);
  expect(new Set(sent.map(({ import_id }) => import_id)).size).toBe(1);
  expect(sent.map(({ content }) => content.total !== undefined)).toEqual([true, false, false, false]);
});

test('stops between two parts, goes on, and takes all of it back', async () => {
  const { choose } = await open();
  choose(table(1200, 1));
  const held = Promise.withResolvers<void>();
  take = async () => {
    await held.promise;
    return { body: { folders: 0, categories: 0, links: 500 } };
  };
  await screen.findByRole('button', { name: 'Importar 1.200 links' });
  press('Importar 1.200 links');
  press('Parar');
  held.resolve();
  await screen.findByText('Importação interrompida: 500 de 1.200 links.');
  expect(sent).toHaveLength(1);
  press('Continuar');
  await screen.findByText(/^Importação concluída/);
  expect(sent.map(({ part }) => part)).toEqual([0, 1, 2]);
  press('Desfazer importação');
  await screen.findByText('Importação desfeita: 1.000 links a menos.');
  expect(undone).toEqual([{ import_id: sent[0]?.import_id }, { import_id: sent[0]?.import_id }]);
});

test('what is taken back is said also to whoever has chosen the next file by then, which stays', async () => {
  const { choose } = await open();
  choose(table(1, 1));
  await screen.findByRole('button', { name: 'Importar 1 link' });
  press('Importar 1 link');
  await screen.findByText(/^Importação concluída/);
  const held = Promise.withResolvers<void>();
  undoing = held.promise;
  press('Desfazer importação');
  await waitFor(() => expect(undone).toHaveLength(1));
  press('Escolher outro arquivo');
  choose(table(2, 1));
  await screen.findByRole('button', { name: 'Importar 2 links' });
  held.resolve();
  await screen.findByText(/^Importação desfeita/);
  expect(screen.getByRole('button', { name: 'Importar 2 links' })).toBeTruthy();
});

test.each([
  ['plan_limit_links', '{"max":500,"plan":"plus"}', 'Limite de 500 links atingido'],
  ['plan_limit_categories', '{"max":20,"plan":"plus"}', 'Limite de 20 categorias atingido'],
])(
  'a limit that was reached meanwhile (%s) is said in the words of the plan',
  async (hint, details, words) => {
    const { choose } = await open();
    choose(table(5));
    take = () => ({ status: 400, body: { code: 'P0001', message: 'x', details, hint } });
    await screen.findByRole('button', { name: 'Importar 5 links' });
    press('Importar 5 links');
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(refused).not.toHaveBeenCalled();
  },
);

test('on the free plan no file is asked for nor read, and the database’s refusal is that of the screen', async () => {
  const { choose, unmount } = await open('free');
  press('Escolher arquivo');
  choose(table(1));
  expect(refused).toHaveBeenCalledTimes(2);
  expect(screen.queryByText(/favoritos\.csv/)).toBeNull();
  unmount();
  refused.mockReset();
  const { choose: chooseAgain } = await open('pro');
  chooseAgain(table(1));
  take = () => ({
    status: 400,
    body: {
      code: 'P0001',
      message: 'Recurso indisponível',
      details: '{"plan":"free"}',
      hint: 'plan_sharing',
    },
  });
  await screen.findByRole('button', { name: 'Importar 1 link' });
  press('Importar 1 link');
  await waitFor(() => expect(refused).toHaveBeenCalledTimes(1));
});

test('a dropped file is taken; one that is none says so and asks for another', async () => {
  await open();
  const zone = screen.getByText('ou arraste o arquivo até aqui').parentElement as HTMLElement;
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files: [new File(['\u0000'], 'foto.png')] } });
  expect((await screen.findByRole('alert')).textContent).toContain('Não reconhecemos este arquivo');
  expect(screen.getByRole('button', { name: 'Escolher arquivo' })).toBeTruthy();
});
