import { act, screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { letPass } from '../../shared/test/let-pass.ts';
import { beginLive, READS_MS } from '../test/begin-live.ts';

const BADGE = 'Atualizado agora';

const { library, live, link, open, openCategory, elsewhere, inTree, findInTree, counters, reads } =
  beginLive();

describe('what this tab writes comes back, too', () => {
  /** Holds back the answer to a write, as a slow network would. */
  function holdAnswers() {
    const answers: (() => void)[] = [];
    const answered = fetch;
    vi.stubGlobal('fetch', async (...[input, init]: Parameters<typeof fetch>) => {
      const response = await answered(input, init);
      if (init?.method === 'PATCH' || init?.method === 'POST')
        await new Promise<void>((resolve) => answers.push(resolve));
      return response;
    });
    return () =>
      act(async () => {
        for (const answer of answers.splice(0)) answer();
      });
  }
  const rest = () => act(() => letPass(150));
  const restOfReads = () => act(() => letPass(READS_MS));

  test('and counts once, stands once, and is no news', async () => {
    const { user } = await openCategory(READS_MS);
    await user.keyboard('n');
    await user.type(await screen.findByLabelText(/^url/i), 'https://exemplo.com/cabo');
    await user.type(screen.getByLabelText(/título/i), 'Cabo');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    const [stored] = library.table('links');
    act(() => live.realtime.tell({ table: 'links', operation: 'INSERT', row: { ...stored } }));
    await restOfReads();
    expect(library.table('links').map(({ title }) => title)).toEqual(['Cabo', 'Roteador']);
    expect(screen.getAllByText('Cabo')).toHaveLength(1);
    expect(screen.getByText(/^2 links$/)).toBeTruthy();
    expect(screen.queryByText(BADGE)).toBeNull();
    expect(reads()).toEqual([]);
  });

  test('also when it comes back before the answer', async () => {
    const { user } = await open('/dashboard');
    const answer = holdAnswers();
    await user.click(screen.getByRole('button', { name: 'Nova Pasta' }));
    await user.type(await screen.findByLabelText('Nome da Pasta'), 'Viagens{Enter}');
    await waitFor(() => expect(library.table('folders')).toHaveLength(2));
    const [stored] = library.table('folders');
    act(() => live.realtime.tell({ table: 'folders', operation: 'INSERT', row: { ...stored } }));
    await rest();
    await answer();
    expect(await screen.findByText('Pasta criada com sucesso')).toBeTruthy();
    await rest();
    expect(screen.getAllByRole('treeitem', { name: 'Viagens', hidden: true })).toHaveLength(1);
    expect(counters()).toEqual(['2', '1', '1']);
    expect(screen.queryByText(BADGE)).toBeNull();
  });

  test('what somebody else did to the same row waits for the answer, and is then shown', async () => {
    const { user } = await open('/dashboard');
    const answer = holdAnswers();
    await user.click(await screen.findByRole('button', { name: 'Ações da pasta Estudos' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
    const field = await screen.findByLabelText('Nome da Pasta');
    await user.clear(field);
    await user.type(field, 'Minha{Enter}');
    await waitFor(() => expect(live.folder['name']).toBe('Minha'));
    elsewhere.change('folders', live.folder, { name: 'De outra pessoa' });
    await rest();
    expect(screen.queryByRole('treeitem', { name: 'De outra pessoa', hidden: true })).toBeNull();
    await answer();
    expect(await screen.findByRole('treeitem', { name: 'De outra pessoa', hidden: true })).toBeTruthy();
  });

  test('an older version that arrives late changes nothing', async () => {
    await open('/dashboard');
    elsewhere.change('folders', live.folder, { name: 'Nova' });
    expect(await findInTree('Nova')).toBeTruthy();
    const old = { ...live.folder, name: 'Velha', updated_at: '2025-05-11T00:00:00+00:00' };
    act(() => live.realtime.tell({ table: 'folders', operation: 'UPDATE', row: old }));
    await rest();
    expect(inTree('Velha')).toBeNull();
  });

  test('a form that is open keeps what was typed and asks, when the same folder changes elsewhere', async () => {
    const { user } = await open('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Ações da pasta Estudos' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
    const field = await screen.findByLabelText('Nome da Pasta');
    await user.clear(field);
    await user.type(field, 'Minha');
    elsewhere.change('folders', live.folder, { name: 'De outra pessoa' });
    expect(await screen.findByRole('treeitem', { name: 'De outra pessoa', hidden: true })).toBeTruthy();
    expect((field as HTMLInputElement).value).toBe('Minha');
    await user.keyboard('{Enter}');
    const question = await screen.findByRole('alertdialog', { name: 'Alteração em outro lugar' });
    expect(within(question).getByText('De outra pessoa')).toBeTruthy();
  });

  test('a form of a link stays, with what is typed, when its category goes; then the page leaves', async () => {
    const { user, path } = await openCategory();
    await user.click(screen.getByRole('button', { name: /^Ações do link/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
    const title = await screen.findByLabelText(/título/i);
    await user.clear(title);
    await user.type(title, 'Roteador novo');
    await elsewhere.remove('categories', live.category);
    await rest();
    expect((title as HTMLInputElement).value).toBe('Roteador novo');
    expect(path()).toMatch(/^\/category\//);
    await user.click(screen.getByRole('button', { name: 'Cancelar' }));
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  test('a deletion that is taken back stays taken back', async () => {
    const { user } = await openCategory();
    await user.click(screen.getByRole('button', { name: /^Ações do link/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
    const gone = { ...library.table('links')[0] };
    await user.click(await screen.findByRole('button', { name: 'Excluir' }));
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Roteador')).toBeTruthy();
    act(() => live.realtime.tell({ table: 'links', operation: 'DELETE', before: gone }));
    act(() => live.realtime.tell({ table: 'links', operation: 'INSERT', row: gone }));
    await rest();
    expect(screen.getByText('Roteador')).toBeTruthy();
    expect(screen.getByText(/^1 link$/)).toBeTruthy();
    expect(screen.queryByText(BADGE)).toBeNull();
  });

  test('a category that is restored brings its links back, and none of it is news', async () => {
    const { user } = await openCategory();
    await user.click(await screen.findByRole('button', { name: 'Ações da categoria Redes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
    const [gone] = library.table('links').map((row) => ({ ...row }));
    await user.click(await screen.findByRole('button', { name: 'Excluir' }));
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Roteador')).toBeTruthy();
    await restOfReads();
    live.requests = [];
    act(() => {
      live.realtime.tell({ table: 'categories', operation: 'INSERT', row: { ...live.category } });
      live.realtime.tell({ table: 'links', operation: 'INSERT', row: { ...gone } });
    });
    await restOfReads();
    expect(screen.getByText(/^1 link$/)).toBeTruthy();
    expect(screen.queryByText(BADGE)).toBeNull();
    expect(reads()).toEqual([]);
  });

  test('a link that comes while its list is being read is in the list', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await openCategory();
    let answer = () => {};
    const answered = fetch;
    vi.stubGlobal('fetch', async (...[input, init]: Parameters<typeof fetch>) => {
      const response = await answered(input, init);
      if (String(input).includes('/links?')) await new Promise<void>((resolve) => (answer = resolve));
      return response;
    });
    act(() => live.realtime.setLive(false));
    act(() => live.realtime.setLive(true));
    await waitFor(() => expect(live.requests).toContain('GET links'));
    elsewhere.add('links', link('Cabo'));
    expect(await screen.findByText('Cabo')).toBeTruthy();
    vi.stubGlobal('fetch', answered);
    act(() => answer());
    await waitFor(() => expect(live.requests.filter((request) => request === 'GET links')).toHaveLength(2));
    expect(await screen.findByText('Cabo')).toBeTruthy();
  });

  describe('where the answer to a new one was lost', () => {
    /**
     * A service that stores what is sent to a table and answers nothing.
     * @param again what it answers to the next attempt.
     */
    function loseAnswer(table: string, again: () => Response) {
      const answered = fetch;
      const sent: unknown[] = [];
      vi.stubGlobal('fetch', async (...[input, init]: Parameters<typeof fetch>) => {
        if (init?.method !== 'POST' || !new RegExp(`/${table}\\b`).test(String(input)))
          return answered(input, init);
        sent.push(JSON.parse(String(init.body)).id);
        if (sent.length > 1) return again();
        await answered(input, init);
        throw new TypeError('Failed to fetch');
      });
      return sent;
    }
    const isThere = (table: string) => () => {
      const message = `duplicate key value violates unique constraint "${table}_pkey"`;
      return Response.json({ code: '23505', message }, { status: 409 });
    };
    const fails = () => Response.json({ code: 'XX000', message: 'interno' }, { status: 500 });
    const hear = async (table: string) => {
      const [stored] = library.table(table);
      act(() => live.realtime.tell({ table, operation: 'INSERT', row: { ...stored } }));
      await restOfReads();
      return stored?.['id'];
    };
    const saveAgain = async (user: ReturnType<typeof userEvent.setup>, words: string) => {
      await user.click(screen.getByRole('button', { name: 'Salvar' }));
      expect(await screen.findByText(words)).toBeTruthy();
      await restOfReads();
    };
    const fillLink = async (user: ReturnType<typeof userEvent.setup>) => {
      await user.keyboard('n');
      await user.type(await screen.findByLabelText(/^url/i), 'https://exemplo.com/cabo');
      await user.type(screen.getByLabelText(/título/i), 'Cabo');
      await user.click(screen.getByRole('button', { name: 'Salvar' }));
      expect(await screen.findByText('Não foi possível salvar o link')).toBeTruthy();
    };
    const fillCategory = async (user: ReturnType<typeof userEvent.setup>) => {
      await user.click(await screen.findByRole('button', { name: 'Adicionar categoria em Estudos' }));
      await user.type(await screen.findByLabelText('Nome da Categoria'), 'Mapas');
      await user.click(screen.getByRole('button', { name: 'Salvar' }));
      expect(await screen.findByText('Não foi possível criar a categoria')).toBeTruthy();
    };

    test('a link that is saved again counts once', async () => {
      const sent = loseAnswer('links', isThere('links'));
      const { user } = await openCategory(READS_MS);
      await fillLink(user);
      const id = await hear('links');
      await saveAgain(user, 'Link salvo com sucesso');
      expect(sent).toEqual([id, id]);
      expect(screen.getAllByText('Cabo')).toHaveLength(1);
      expect(screen.getByText(/^2 links$/)).toBeTruthy();
    });

    test('a folder is saved again under its own name, and counts once', async () => {
      const sent = loseAnswer('folders', isThere('folders'));
      const { user } = await open('/dashboard', READS_MS);
      await user.click(screen.getByRole('button', { name: 'Nova Pasta' }));
      await user.type(await screen.findByLabelText('Nome da Pasta'), 'Viagens{Enter}');
      expect(await screen.findByText('Não foi possível criar a pasta')).toBeTruthy();
      const id = await hear('folders');
      await saveAgain(user, 'Pasta criada com sucesso');
      expect(sent).toEqual([id, id]);
      expect(screen.getAllByRole('treeitem', { name: 'Viagens', hidden: true })).toHaveLength(1);
      expect(counters()).toEqual(['2', '1', '1']);
    });

    test('a category that is saved again counts once', async () => {
      const sent = loseAnswer('categories', isThere('categories'));
      const { user } = await open('/dashboard', READS_MS);
      await fillCategory(user);
      const id = await hear('categories');
      live.requests = [];
      await saveAgain(user, 'Categoria criada com sucesso');
      expect(sent).toEqual([id, id]);
      expect(live.requests).toEqual(expect.arrayContaining(['GET categories', 'GET library_counts']));
      await user.click(await screen.findByRole('link', { name: 'Linkoteca, ir para o início' }));
      await waitFor(() => expect(counters()).toEqual(['1', '2', '1']));
    });

    test('a link that is there stays on the screen where saving it again fails', async () => {
      loseAnswer('links', fails);
      const { user } = await openCategory(READS_MS);
      await fillLink(user);
      await hear('links');
      await user.click(screen.getByRole('button', { name: 'Salvar' }));
      await restOfReads();
      expect(screen.getByRole('dialog', { name: 'Adicionar Link' })).toBeTruthy();
      expect(screen.getByText('Cabo')).toBeTruthy();
    });

    test('a category that is there stays on the screen where saving it again fails', async () => {
      loseAnswer('categories', fails);
      const { user } = await open('/dashboard', READS_MS);
      await fillCategory(user);
      await hear('categories');
      await user.click(screen.getByRole('button', { name: 'Salvar' }));
      await restOfReads();
      expect(screen.getByRole('dialog', { name: 'Nova Categoria' })).toBeTruthy();
      expect(screen.getAllByRole('treeitem', { name: 'Mapas', hidden: true })).toHaveLength(1);
    });
  });
});
