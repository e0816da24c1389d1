import { LINKS_PER_TAGGING } from '@linkoteca/domain/tags';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const library = beginWithLibrary(() =>
  Promise.all([
    import('./tags/tagging-host.tsx'),
    import('../pages/tags-page.tsx'),
    import('../pages/search-route.tsx'),
  ]),
);

let category: Record<string, unknown>;
beforeEach(() => {
  const folder = library.add('folders', { name: 'Cozinha' });
  category = library.add('categories', { name: 'Receitas', folder_id: folder['id'], is_public: false });
});

const addLink = (title: string, url = `https://exemplo.com/${title}`) =>
  library.add('links', { title, url, category_id: category['id'] });
const addTag = (name: string, links: readonly Record<string, unknown>[] = []) => {
  const tag = library.add('tags', {
    name,
    color: null,
    link_count: links.length,
    tagged_at: '2025-01-01T00:00:00Z',
  });
  for (const { id } of links) library.table('link_tags').push({ link_id: id, tag_id: tag['id'] });
  return tag;
};
const tagsOf = (link: Record<string, unknown>) =>
  library
    .table('link_tags')
    .filter((row) => row['link_id'] === link['id'])
    .map((row) => library.table('tags').find(({ id }) => id === row['tag_id'])?.['name'])
    .toSorted();
const openCategory = () => openSignedIn(`/category/${String(category['id'])}`);
const item = async (title: string) =>
  within((await screen.findByRole('link', { name: title })).closest('li') as HTMLElement);

test('a form that was opened before the tags are known does not show a link without them', async () => {
  const bolo = addLink('Bolo');
  addTag('doces', [bolo]);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  library.control.beforeRead = async (relation) => {
    if (relation !== 'tags') return;
    ask();
    await answered;
  };
  const { user } = openCategory();
  await asked;
  (await screen.findByRole('link', { name: 'Bolo' })).focus();
  await user.keyboard('e');
  const form = within(await screen.findByRole('dialog', { name: 'Editar Link' }));
  expect(form.queryByRole('combobox', { name: 'Tags (opcional)' })).toBeNull();
  answer();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await (await item('Bolo')).findByText('doces');
  await user.keyboard('e');
  const known = within(await screen.findByRole('dialog', { name: 'Editar Link' }));
  expect(await known.findByRole('combobox', { name: 'Tags (opcional)' })).toBeTruthy();
});

describe('a link in its list', () => {
  test('shows its tags, three by name and of the others how many; a press searches', async () => {
    const bolo = addLink('Bolo');
    for (const name of ['um', 'dois', 'tres', 'quatro', 'zero']) addTag(name, [bolo]);
    const { user, path } = openCategory();
    const card = await item('Bolo');
    expect(await card.findByText('Mais 2 tags: um, zero')).toBeTruthy();
    expect(card.getAllByRole('button', { name: /./ }).map(({ textContent }) => textContent)).toEqual([
      'dois',
      'quatro',
      'tres',
      '',
    ]);
    await user.click(card.getByText('dois'));
    await waitFor(() => expect(path()).toBe('/search?q=tag%3Adois&page=1'));
  });

  test('is found by them where the category is filtered', async () => {
    const links = ['Bolo', 'Torta', 'Pudim', 'Sopa', 'Salada', 'Risoto', 'Pizza', 'Caldo'].map((title) =>
      addLink(title),
    );
    addTag('Almoço rápido', links.slice(3, 4));
    const { user } = openCategory();
    await (await item('Sopa')).findByText('Almoço rápido');
    await user.keyboard('f');
    await user.type(await screen.findByLabelText('Filtrar os links desta categoria'), 'almoco sopa');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Bolo' })).toBeNull());
    expect(screen.getByRole('link', { name: 'Sopa' })).toBeTruthy();
  });

  test('keeps them when it changes elsewhere on the screen, and gets others by T', async () => {
    const bolo = addLink('Bolo');
    addTag('doce', [bolo]);
    const { user } = openCategory();
    const card = await item('Bolo');
    await card.findByText('doce');
    screen.getByRole('link', { name: 'Bolo' }).focus();
    await user.keyboard('t');
    const field = await screen.findByRole('combobox', { name: 'Tags' });
    await user.type(field, '#festa,');
    await user.click(screen.getByRole('button', { name: 'Tirar a tag doce' }));
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await (await item('Bolo')).findByText('festa')).toBeTruthy();
    expect(tagsOf(bolo)).toEqual(['festa']);
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    expect(await (await item('Bolo')).findByText('doce')).toBeTruthy();
    expect(tagsOf(bolo)).toEqual(['doce']);
  });
});

describe('the form of a link', () => {
  const addField = async (user: ReturnType<typeof openCategory>['user']) => {
    await screen.findByRole('button', { name: 'Adicionar Link' });
    await user.keyboard('n');
    await user.type(await screen.findByLabelText('URL'), 'https://exemplo.com/bolo');
    await user.type(screen.getByLabelText('Título'), 'Bolo de fubá');
    return screen.findByRole('combobox', { name: 'Tags (opcional)' });
  };

  test('takes tags by Enter, comma and leaving, each once, and gives the link the person’s own spelling', async () => {
    addTag('Física');
    const { user } = openCategory();
    const field = await addField(user);
    await user.type(field, '#festa{Enter}fisica,FESTA,{Backspace}');
    expect(screen.queryByRole('button', { name: 'Tirar a tag Física' })).toBeNull();
    await user.type(field, 'fisica,milho');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    await screen.findByText('Link salvo com sucesso');
    const [link = {}] = library.table('links');
    expect(tagsOf(link)).toEqual(['Física', 'festa', 'milho']);
    expect(await (await item('Bolo de fubá')).findByText('milho')).toBeTruthy();
  });

  test('offers the person’s own by the site and the words of the title', async () => {
    addTag('doce', [addLink('Torta', 'https://exemplo.com/torta')]);
    addTag('fubá');
    addTag('trabalho', [addLink('Reunião', 'https://outro.com/')]);
    const { user } = openCategory();
    await screen.findByRole('link', { name: 'Torta' });
    await addField(user);
    const offered = within(await screen.findByRole('list', { name: 'Tags sugeridas' }));
    expect(offered.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['fubá', 'doce']);
    await user.click(offered.getByRole('button', { name: 'Dar a tag doce' }));
    expect(screen.getByRole('button', { name: 'Tirar a tag doce' })).toBeTruthy();
  });

  test('says that the link is saved where its tags are refused', async () => {
    const { user } = openCategory();
    const field = await addField(user);
    await user.type(field, 'mais');
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/tag_links'
        ? {
            status: 400,
            body: { code: 'P0001', hint: 'plan_limit_tags', message: 'Limite de 20 tags atingido' },
          }
        : null;
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('O link foi salvo, mas as tags não')).toBeTruthy();
    expect(screen.getByText('Limite de 20 tags atingido.')).toBeTruthy();
    expect(library.table('links')).toHaveLength(1);
  });

  test('that changes tags alone leaves the link as it was', async () => {
    const bolo = addLink('Bolo');
    addTag('doce', [bolo]);
    const before = bolo['updated_at'];
    const { user } = openCategory();
    await (await item('Bolo')).findByText('doce');
    screen.getByRole('link', { name: 'Bolo' }).focus();
    await user.keyboard('e');
    await user.type(await screen.findByRole('combobox', { name: 'Tags (opcional)' }), 'festa{Enter}{Enter}');
    expect(await screen.findByText('Link atualizado com sucesso')).toBeTruthy();
    expect(tagsOf(bolo)).toEqual(['doce', 'festa']);
    expect(bolo['updated_at']).toBe(before);
  });
});

test('many links get and lose tags in one act, which one press undoes', async () => {
  const links = ['A', 'B', 'C'].map((title) => addLink(title));
  addTag('todas', links);
  addTag('algumas', links.slice(0, 1));
  const { user } = openCategory();
  await screen.findByRole('link', { name: 'A' });
  await (await item('A')).findByText('algumas');
  await user.keyboard('x');
  await user.click(await screen.findByRole('button', { name: 'Selecionar todos' }));
  await user.click(screen.getByRole('button', { name: 'Tags' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Tags de 3 links' }));
  await user.click(
    within(dialog.getByRole('region', { name: 'Só alguns têm' })).getByRole('button', {
      name: 'Dar a tag algumas',
    }),
  );
  await user.click(dialog.getByRole('button', { name: 'Tirar a tag todas' }));
  await user.type(dialog.getByRole('combobox', { name: 'Todos têm' }), 'nova');
  await user.click(dialog.getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(links.map(tagsOf)).toEqual(Array(3).fill(['algumas', 'nova'])));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Tags de 3 links' })).toBeNull());
  expect(document.activeElement?.closest('[data-link-id]')).not.toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
  await waitFor(() => expect(links.map(tagsOf)).toEqual([['algumas', 'todas'], ['todas'], ['todas']]));
});

test('more links than one call takes are given back, too, where the first attempt stopped halfway', async () => {
  for (let n = 0; n <= LINKS_PER_TAGGING; n += 1) addLink(`Nota ${n}`);
  const { user } = openCategory();
  await user.click(await screen.findByRole('button', { name: 'Selecionar' }));
  await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
  await user.click(screen.getByRole('button', { name: 'Tags' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('combobox', { name: 'Todos têm' }), 'casa');
  let calls = 0;
  library.control.refuse = (_method, relation) => {
    if (relation !== 'rpc/tag_links') return null;
    calls += 1;
    return calls === 2 ? { status: 500, body: { message: 'x' } } : null;
  };
  const save = dialog.getByRole('button', { name: 'Salvar' });
  await user.click(save);
  expect(await dialog.findByText(/^Não foi possível salvar as tags/)).toBeTruthy();
  expect(library.table('link_tags')).toHaveLength(LINKS_PER_TAGGING);
  await user.click(save);
  await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
  expect(await screen.findByText('Desfeito')).toBeTruthy();
  expect(library.table('link_tags')).toEqual([]);
}, 60_000);

describe('the page of tags', () => {
  const open = async () => {
    const view = openSignedIn('/tags');
    await screen.findByRole('heading', { name: 'Tags' });
    return view;
  };
  const names = () =>
    within(screen.getByRole('list', { name: 'Suas tags' }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
  const menu = async (user: ReturnType<typeof openSignedIn>['user'], name: string, act: string) => {
    await user.click(await screen.findByRole('button', { name: `Ações da tag ${name}` }));
    await user.click(await screen.findByRole('menuitem', { name: act }));
  };

  test('teaches where there are none', async () => {
    await open();
    expect(await screen.findByText('Nenhuma tag ainda')).toBeTruthy();
  });

  test('lists them by name or use, filtered without accents', async () => {
    addTag('Zoo', [addLink('A'), addLink('B')]);
    addTag('ágata');
    addTag('Bolo', [addLink('C')]);
    const { user } = await open();
    await screen.findByText('Zoo');
    expect(names()).toEqual(['ágata', 'Bolo', 'Zoo']);
    await user.click(screen.getByRole('button', { name: 'Ordem das tags: Nome, A–Z' }));
    expect(names()).toEqual(['Zoo', 'Bolo', 'ágata']);
    expect(screen.getByText('2 links')).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: 'Filtrar tags' }), 'AGA');
    expect(names()).toEqual(['ágata']);
    await user.keyboard('x');
    expect(screen.getByText('Nenhuma tag com esse nome')).toBeTruthy();
  });

  test('renames by F2, takes no name twice, and offers to make one of both', async () => {
    const link = addLink('A');
    addTag('um', [link]);
    addTag('dois');
    const { user } = await open();
    (await screen.findByText('um')).closest('a')?.focus();
    await user.keyboard('{F2}');
    await user.keyboard('outro{Enter}');
    expect(await screen.findByText('Tag renomeada')).toBeTruthy();
    expect(names()).toEqual(['dois', 'outro']);
    await menu(user, 'outro', 'Renomear');
    await user.keyboard('DÓIS{Enter}');
    expect(await screen.findByText('Já existe a tag “dois”')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Juntar as duas' }));
    expect(await screen.findByText('Tags juntadas')).toBeTruthy();
    await waitFor(() => expect(tagsOf(link)).toEqual(['dois']));
  });

  test('leaves the keyboard on a renamed tag, wherever it is now', async () => {
    for (const name of ['alfa', 'beta', 'zeta']) addTag(name);
    const { user } = await open();
    (await screen.findByText('alfa')).closest('a')?.focus();
    await user.keyboard('{F2}');
    await user.keyboard('gama{Enter}');
    expect(await screen.findByText('Tag renomeada')).toBeTruthy();
    expect(names()).toEqual(['beta', 'gama', 'zeta']);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('gama'));
  });

  test('merges one into another, and takes it back', async () => {
    const link = addLink('A');
    addTag('um', [link]);
    addTag('dois');
    const { user } = await open();
    await menu(user, 'um', 'Juntar com outra');
    await user.click(await screen.findByRole('option', { name: /dois/ }));
    await waitFor(() => expect(tagsOf(link)).toEqual(['dois']));
    expect(names()).toEqual(['dois']);
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    await waitFor(() => expect(names()).toEqual(['dois', 'um']));
    expect(tagsOf(link)).toEqual(['um']);
  });

  test('takes back both halves of a merge that had stopped on its way', async () => {
    addTag('um', [addLink('A')]);
    addTag('dois');
    const answers = [{ change: 1, done: false }, null, { change: 2, done: true }];
    const undone: unknown[] = [];
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      if (input.endsWith('/rpc/undo_tag_change')) {
        undone.push(JSON.parse(String(init?.body)).change_id);
        return Response.json(true);
      }
      if (!input.endsWith('/rpc/merge_tags')) return library.fetch(input, init);
      const answer = answers.shift();
      return answer ? Response.json(answer) : Response.json({ message: 'x' }, { status: 500 });
    });
    const { user } = await open();
    const merge = async () => {
      await menu(user, 'um', 'Juntar com outra');
      await user.click(await screen.findByRole('option', { name: /dois/ }));
    };
    await merge();
    expect(await screen.findByText('Não foi possível juntar as tags')).toBeTruthy();
    await merge();
    expect(await screen.findByText('Tags juntadas')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Desfeito')).toBeTruthy();
    expect(undone).toEqual([2, 1]);
  });

  test('gives colours, and deletes with a way back', async () => {
    const tag = addTag('um', [addLink('A')]);
    addTag('dois');
    const { user } = await open();
    await menu(user, 'um', 'Turquesa');
    await waitFor(() => expect(tag['color']).toBe('teal'));
    (await screen.findByText('um')).closest('a')?.focus();
    await user.keyboard('{Delete}');
    expect(await screen.findByText('Tag excluída')).toBeTruthy();
    expect(names()).toEqual(['dois']);
    expect(document.activeElement?.textContent).toBe('dois');
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(names()).toEqual(['dois', 'um']));
  });

  test('keeps the keyboard where the only tag that fits is deleted, and where the filter is emptied', async () => {
    for (const name of ['alfa', 'beta']) addTag(name);
    const { user } = await open();
    const filter = await screen.findByRole('textbox', { name: 'Filtrar tags' });
    await user.type(filter, 'alfa{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('alfa');
    await user.keyboard('{Delete}');
    expect(await screen.findByText('Nenhuma tag com esse nome')).toBeTruthy();
    expect(document.activeElement?.id).toBe('page');
    await user.click(screen.getByRole('button', { name: 'Limpar filtro' }));
    expect(document.activeElement).toBe(filter);
  });

  test('takes back by the key what the service has not answered yet, and not what came before it', async () => {
    addTag('um', [addLink('A')]);
    addTag('dois');
    addTag('três');
    const { user } = await open();
    await menu(user, 'dois', 'Juntar com outra');
    await user.click(await screen.findByRole('option', { name: /três/ }));
    expect(await screen.findByText('Tags juntadas')).toBeTruthy();
    const held = Promise.withResolvers<void>();
    library.control.beforeWrite = (relation) =>
      relation === 'rpc/delete_tags' ? held.promise : Promise.resolve();
    await menu(user, 'um', 'Excluir');
    await waitFor(() => expect(names()).toEqual(['três']));
    await user.keyboard('{Control>}z{/Control}');
    held.resolve();
    await waitFor(() => expect(names()).toEqual(['três', 'um']));
    expect(screen.queryByText('Tag excluída')).toBeNull();
  });

  test('stays as it was where the service refuses', async () => {
    addTag('um');
    addTag('dois');
    library.control.refuse = (method, relation) =>
      method !== 'GET' && /tag/.test(relation) ? { status: 500, body: { message: 'x' } } : null;
    const { user } = await open();
    await menu(user, 'um', 'Excluir');
    expect(await screen.findByText('Não foi possível excluir a tag')).toBeTruthy();
    expect(names()).toEqual(['dois', 'um']);
  });

  test('is reached from the sidebar', async () => {
    const { user, path } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('link', { name: 'Tags' }));
    await waitFor(() => expect(path()).toBe('/tags'));
  });
});
