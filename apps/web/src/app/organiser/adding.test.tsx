import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { pickCategory } from '../../features/links/test/render-link-dialog.tsx';
import { fakeSession } from '../../shared/test/create-fake-auth.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary();

/** 'Estudos / Redes' with one link, and 'Estudos / Artes' without. */
function fill() {
  const folder = library.add('folders', { name: 'Estudos' });
  const redes = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  const artes = library.add('categories', { name: 'Artes', folder_id: folder['id'], is_public: false });
  library.add('links', { title: 'Cabo', url: 'https://exemplo.com/cabo', category_id: redes['id'] });
  return { redes: String(redes['id']), artes: String(artes['id']) };
}

function pasteAnywhere(text: string, html = '', target: Element = document.body) {
  const getData = (type: string) => (type === 'text/html' ? html : text);
  fireEvent.paste(target, { clipboardData: { getData } });
}

const field = (label: string) => screen.getByLabelText(label) as HTMLInputElement;

/** The first answer to a new category is lost, and from then on it is there. @returns the ids that are sent. */
function loseAnswerToCategory(): readonly unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (init?.method !== 'POST' || !input.includes('/categories?')) return library.fetch(input, init);
    const { id } = JSON.parse(String(init.body));
    sent.push(id);
    const message = 'duplicate key value violates unique constraint "categories_pkey"';
    if (library.table('categories').some((category) => category['id'] === id))
      return Response.json({ code: '23505', message }, { status: 409 });
    const answer = await library.fetch(input, init);
    if (sent.length > 1) return answer;
    throw new TypeError('Failed to fetch');
  });
  return sent;
}

test('an address pasted into a category opens the form filled in, and Enter saves it there', async () => {
  const { artes } = fill();
  library.pages['https://exemplo.com/tela'] = { title: 'A tela', description: 'Sobre a tela' };
  const { user } = openSignedIn(`/category/${artes}`);
  await screen.findByText('Nenhum link encontrado nesta categoria');
  pasteAnywhere(' exemplo.com/tela ');
  expect(await screen.findByRole('dialog', { name: 'Adicionar Link' })).toBeTruthy();
  expect(field('URL').value).toBe('https://exemplo.com/tela');
  expect(field('Categoria').value).toBe('Estudos / Artes');
  await waitFor(() => expect(field('Título').value).toBe('A tela'));
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
  expect(library.table('links')).toMatchObject([
    { url: 'https://exemplo.com/tela', title: 'A tela', description: 'Sobre a tela', category_id: artes },
    { title: 'Cabo' },
  ]);
});

test('on the dashboard the last category used is suggested, and an address that is there says where', async () => {
  const { redes } = fill();
  localStorage.setItem(`linkoteca-last-category-${fakeSession().user.id}`, redes);
  openSignedIn('/dashboard');
  await screen.findByRole('region', { name: 'Categorias recentes' });
  pasteAnywhere('Cabo de rede - https://exemplo.com/cabo');
  expect(await screen.findByRole('dialog', { name: 'Adicionar Link' })).toBeTruthy();
  expect(field('Título').value).toBe('Cabo de rede');
  expect(field('Categoria').value).toBe('Estudos / Redes');
  expect(screen.getByText('A última que você usou.')).toBeTruthy();
  const form = within(screen.getByRole('dialog'));
  expect((await form.findByRole('link', { name: 'Estudos / Redes' })).getAttribute('href')).toBe(
    `/category/${redes}`,
  );
});

test('many lines pasted anywhere are saved with one press', async () => {
  const { artes } = fill();
  const { user } = openSignedIn('/profile');
  await screen.findByRole('main');
  await screen.findByRole('treeitem', { name: 'Estudos' });
  pasteAnywhere('https://a.com\nB - https://b.com\nhttps://exemplo.com/cabo\nnada');
  const dialog = within(await screen.findByRole('dialog', { name: 'Adicionar vários links' }));
  expect(await dialog.findByText('Já está em Estudos / Redes')).toBeTruthy();
  await pickCategory(user, 'artes');
  await user.click(dialog.getByRole('button', { name: 'Salvar 2 links' }));
  expect(await screen.findByText('2 links salvos com sucesso')).toBeTruthy();
  expect(screen.getByText('Em Estudos / Artes')).toBeTruthy();
  expect(library.table('links').map((link) => [link['title'], link['category_id']])).toEqual([
    ['a.com', artes],
    ['B', artes],
    ['Cabo', expect.anything()],
  ]);
});

test('links copied from a page come with the addresses that their text does not say', async () => {
  fill();
  openSignedIn('/dashboard');
  await screen.findByRole('region', { name: 'Categorias recentes' });
  pasteAnywhere('Leia o manual', '<p>Leia <a href="https://exemplo.com/manual">o manual</a></p>');
  expect(await screen.findByRole('dialog', { name: 'Adicionar Link' })).toBeTruthy();
  expect(field('URL').value).toBe('https://exemplo.com/manual');
  expect(field('Título').value).toBe('o manual');
});

test('from the form to the dialog for many', async () => {
  const { artes } = fill();
  const { user } = openSignedIn(`/category/${artes}`);
  await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
  await user.click(await screen.findByRole('button', { name: 'Colar vários' }));
  const text = await screen.findByLabelText('Links, um por linha');
  await waitFor(() => expect(document.activeElement).toBe(text));
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  await user.keyboard('{Escape}');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Adicionar Link' })),
  );
});

test('a paste is taken while a notice stands there, and many in a row', async () => {
  const { artes } = fill();
  const { user } = openSignedIn(`/category/${artes}`);
  await screen.findByText('Nenhum link encontrado nesta categoria');
  for (const [at, title] of ['Um', 'Dois', 'Três'].entries()) {
    pasteAnywhere(`${title} - https://exemplo.com/${at}`);
    const form = await screen.findByRole('dialog', { name: 'Adicionar Link' });
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Adicionar Link' })).toBeNull());
    expect((await screen.findAllByText('Link salvo com sucesso')).length).toBeGreaterThan(0);
  }
  expect(library.table('links').map(({ title }) => title)).toEqual(['Três', 'Dois', 'Um', 'Cabo']);
});

test('a paste means something else where someone types, over a dialog, and without a link', async () => {
  const { artes } = fill();
  const { user } = openSignedIn(`/category/${artes}`);
  await screen.findByText('Nenhum link encontrado nesta categoria');
  pasteAnywhere('https://exemplo.com', '', screen.getByPlaceholderText('Buscar links...'));
  pasteAnywhere('só palavras');
  expect(screen.queryByRole('dialog')).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Nova Pasta' }));
  expect(await screen.findByRole('dialog', { name: 'Nova Pasta' })).toBeTruthy();
  pasteAnywhere('https://exemplo.com');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expect(screen.getByRole('dialog', { name: 'Nova Pasta' })).toBeTruthy();
});

describe('an empty library is one field', () => {
  const firstField = () => screen.findByLabelText<HTMLInputElement>('Cole seu primeiro link');

  test('Enter saves the first link under what its page is called, with the folder and the category it needs', async () => {
    library.pages['https://exemplo.com/pao'] = { title: 'Pão de queijo' };
    const { user, path } = openSignedIn('/dashboard');
    await user.type(await firstField(), 'exemplo.com/pao{Enter}');
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(screen.getByText('Em Minha biblioteca / Geral')).toBeTruthy();
    const [folder] = library.table('folders');
    const [category] = library.table('categories');
    expect([folder?.['name'], category?.['name'], category?.['folder_id']]).toEqual([
      'Minha biblioteca',
      'Geral',
      folder?.['id'],
    ]);
    expect(library.table('links')).toMatchObject([
      { url: 'https://exemplo.com/pao', title: 'Pão de queijo', category_id: category?.['id'] },
    ]);
    await waitFor(() => expect(path()).toBe(`/category/${String(category?.['id'])}`));
    expect(await screen.findByRole('article')).toBeTruthy();
  });

  test('a folder that is there takes it; a page that says nothing is called by its host; Enter twice saves once', async () => {
    const folder = library.add('folders', { name: 'Estudos' });
    const { user } = openSignedIn('/dashboard');
    await user.type(await firstField(), 'https://www.exemplo.com/x{Enter}{Enter}');
    expect(await screen.findByText('Em Estudos / Geral')).toBeTruthy();
    expect(library.table('folders')).toHaveLength(1);
    expect(library.table('categories')).toMatchObject([{ name: 'Geral', folder_id: folder['id'] }]);
    expect(library.table('links')).toMatchObject([{ title: 'exemplo.com' }]);
  });

  test('it has the focus at once under a mouse, unless somebody is elsewhere by the time it comes', async () => {
    const { matchMedia } = window;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
      ...matchMedia(query),
      matches: query === '(pointer: fine)',
    }));
    const { unmount } = openSignedIn('/dashboard');
    const first = await firstField();
    await waitFor(() => expect(document.activeElement).toBe(first));
    unmount();

    const openLate = () => {
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      library.control.beforeRead = () => answered;
      return { ...openSignedIn('/dashboard'), answer };
    };
    const searched = openLate();
    const search = await screen.findByPlaceholderText('Buscar links...');
    await searched.user.keyboard('{Control>}k{/Control}');
    expect(document.activeElement).toBe(search);
    searched.answer();
    await firstField();
    expect(document.activeElement).toBe(search);
    searched.unmount();

    // What a mouse opens has the focus unseen.
    const { user, answer } = openLate();
    await user.click(await screen.findByRole('button', { name: 'Abrir menu da conta' }));
    const menu = await screen.findByRole('dialog');
    await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true));
    answer();
    await firstField();
    expect(menu.contains(document.activeElement)).toBe(true);
  });

  test('what is no address is said below the field; a list of links goes on as a list', async () => {
    const { user } = openSignedIn('/dashboard');
    await user.type(await firstField(), 'só palavras{Enter}');
    expect(await screen.findByText('URL inválida')).toBeTruthy();
    expect(library.table('folders')).toEqual([]);
    await user.clear(await firstField());
    await user.click(await firstField());
    await user.paste('https://exemplo.com/a\nhttps://exemplo.com/b');
    expect(await screen.findByRole('dialog')).toBeTruthy();
    expect(screen.getByText(/2 links encontrados/)).toBeTruthy();
  });

  test('a link whose answer was lost is not saved twice by the form that goes on with it, which may say it otherwise', async () => {
    let attempts = 0;
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      if (init?.method !== 'POST' || !/\/links\b/.test(input)) return library.fetch(input, init);
      attempts += 1;
      const { id } = JSON.parse(String(init.body));
      const message = 'duplicate key value violates unique constraint "links_pkey"';
      if (library.table('links').some((link) => link['id'] === id))
        return Response.json({ code: '23505', message }, { status: 409 });
      await library.fetch(input, init);
      throw new TypeError('Failed to fetch');
    });
    const { user } = openSignedIn('/dashboard');
    await user.type(await firstField(), 'https://exemplo.com/x{Enter}');
    const form = await screen.findByRole('dialog', { name: 'Adicionar Link' });
    await user.clear(field('Título'));
    await user.type(field('Título'), 'Meu título');
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(attempts).toBe(2);
    expect(library.table('links')).toMatchObject([{ url: 'https://exemplo.com/x', title: 'Meu título' }]);
  });

  test('a save that fails loses nothing: the form of a link goes on with it, and finds what was made', async () => {
    const { user } = openSignedIn('/dashboard');
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'links'
        ? { status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
        : null;
    await user.type(await firstField(), 'https://exemplo.com/x{Enter}');
    expect(await screen.findByText('Não foi possível salvar o link')).toBeTruthy();
    const form = await screen.findByRole('dialog', { name: 'Adicionar Link' });
    expect(field('URL').value).toBe('https://exemplo.com/x');
    library.control.refuse = () => null;
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(library.table('links')).toMatchObject([
      { url: 'https://exemplo.com/x', category_id: library.table('categories')[0]?.['id'] },
    ]);
  });

  test('a category whose answer was lost is not made twice by the form that goes on', async () => {
    const sent = loseAnswerToCategory();
    const { user } = openSignedIn('/dashboard');
    await user.type(await firstField(), 'https://exemplo.com/x{Enter}');
    const form = within(await screen.findByRole('dialog', { name: 'Adicionar Link' }));
    await user.click(form.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    const { id } = library.table('categories')[0] ?? {};
    expect(sent).toEqual([id, id]);
    expect(library.table('links')).toMatchObject([{ url: 'https://exemplo.com/x', category_id: id }]);
  });
});

describe('somebody without a category saves all the same', () => {
  test('one form: the place is made with the link, and said before', async () => {
    const { user } = openSignedIn('/share-target?url=https%3A%2F%2Fexemplo.com%2Fartigo&title=Um%20artigo');
    expect(await screen.findByRole('dialog', { name: 'Adicionar Link' })).toBeTruthy();
    expect(field('Categoria').value).toBe('Minha biblioteca / Geral');
    expect(screen.getByText('Criada quando você salvar. Depois você muda os nomes.')).toBeTruthy();
    expect(library.table('folders')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(screen.getByText('Em Minha biblioteca / Geral')).toBeTruthy();
    const [folder] = library.table('folders');
    const [category] = library.table('categories');
    expect([folder?.['name'], category?.['name']]).toEqual(['Minha biblioteca', 'Geral']);
    expect(library.table('links')).toMatchObject([
      { url: 'https://exemplo.com/artigo', title: 'Um artigo', category_id: category?.['id'] },
    ]);
    expect(drafts()).toEqual([]);
  });

  test('what cannot be made is said below the field, and saving again makes nothing twice', async () => {
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'categories'
        ? { status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
        : null;
    const { user } = openSignedIn('/share-target?url=https%3A%2F%2Fexemplo.com%2Fartigo&title=Um%20artigo');
    const form = within(await screen.findByRole('dialog', { name: 'Adicionar Link' }));
    await user.click(form.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText(/^Não foi possível criar a categoria/)).toBeTruthy();
    expect([field('URL').value, field('Título').value]).toEqual(['https://exemplo.com/artigo', 'Um artigo']);
    library.control.refuse = () => null;
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(library.table('folders')).toHaveLength(1);
    expect(library.table('categories')).toHaveLength(1);
  });

  test('a category whose answer was lost is not made twice, though its folder is there by then', async () => {
    const sent = loseAnswerToCategory();
    const { user } = openSignedIn('/share-target?url=https%3A%2F%2Fexemplo.com%2Fartigo&title=Um%20artigo');
    const form = within(await screen.findByRole('dialog', { name: 'Adicionar Link' }));
    await user.click(form.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText(/^Não foi possível criar a categoria/)).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    const { id } = library.table('categories')[0] ?? {};
    expect(sent).toEqual([id, id]);
    expect(library.table('folders')).toHaveLength(1);
    expect(library.table('links')).toMatchObject([{ category_id: id }]);
  });

  test('a link that is refused once its place was made is saved there', async () => {
    const { user } = openSignedIn('/share-target?url=https%3A%2F%2Fexemplo.com%2Fartigo&title=Um%20artigo');
    await screen.findByRole('dialog', { name: 'Adicionar Link' });
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'links'
        ? { status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
        : null;
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Não foi possível salvar o link')).toBeTruthy();
    expect(field('Categoria').value).toBe('Minha biblioteca / Geral');
    library.control.refuse = () => null;
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(library.table('folders')).toHaveLength(1);
    expect(library.table('categories')).toHaveLength(1);
    expect(library.table('links')).toMatchObject([{ category_id: library.table('categories')[0]?.['id'] }]);
  });

  test('and a list goes to the folder that is there', async () => {
    const folder = library.add('folders', { name: 'Estudos' });
    const { user } = openSignedIn('/dashboard');
    await screen.findByRole('treeitem', { name: 'Estudos' });
    pasteAnywhere('https://a.com\nhttps://b.com');
    await user.click(await screen.findByRole('button', { name: 'Salvar 2 links' }));
    expect(await screen.findByText('2 links salvos com sucesso')).toBeTruthy();
    expect(screen.getByText('Em Estudos / Geral')).toBeTruthy();
    const [category] = library.table('categories');
    expect(category).toMatchObject({ name: 'Geral', folder_id: folder['id'] });
    expect(library.table('links').map((link) => link['category_id'])).toEqual([
      category?.['id'],
      category?.['id'],
    ]);
  });
});

describe('a category that is not there yet', () => {
  test('is made from the field, in the folder at hand, and chosen', async () => {
    const { artes } = fill();
    const { user } = openSignedIn(`/category/${artes}`);
    await screen.findByText('Nenhum link encontrado nesta categoria');
    pasteAnywhere('https://exemplo.com/cor');
    await user.type(await screen.findByLabelText('Título'), 'Cor');
    await pickCategory(user, 'Pintura');
    await waitFor(() => expect(field('Categoria').value).toBe('Estudos / Pintura'));
    expect(library.table('links')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Em Estudos / Pintura')).toBeTruthy();
    const made = library.table('categories').find(({ name }) => name === 'Pintura');
    expect(library.table('links')[0]).toMatchObject({ title: 'Cor', category_id: made?.['id'] });
  });

  test('is another one when it is made again after it was deleted', async () => {
    const { redes } = fill();
    const { user } = openSignedIn(`/category/${redes}`);
    const make = async () => {
      await user.click(await screen.findByRole('button', { name: 'Ações do link Cabo' }));
      await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
      const form = within(await screen.findByRole('dialog', { name: 'Editar Link' }));
      await pickCategory(user, 'Pintura');
      await waitFor(() => expect(field('Categoria').value).toBe('Estudos / Pintura'));
      await user.click(form.getByRole('button', { name: 'Cancelar' }));
      return library.table('categories').find(({ name }) => name === 'Pintura')?.['id'];
    };
    const first = await make();
    await user.click(await screen.findByRole('button', { name: 'Ações da categoria Pintura' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
    const question = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(question).getByRole('button', { name: 'Excluir' }));
    await waitFor(() => expect(screen.queryByRole('treeitem', { name: 'Pintura' })).toBeNull());
    const second = await make();
    expect(first).toEqual(expect.any(String));
    expect(second).toEqual(expect.any(String));
    expect(second).not.toBe(first);
  });

  test('waits where the plan has no room for it: that is said in place, and nothing typed is lost', async () => {
    const { artes } = fill();
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'categories'
        ? {
            status: 400,
            body: { code: 'P0001', message: 'x', details: '{"max":5}', hint: 'plan_limit_categories' },
          }
        : null;
    const { user, path } = openSignedIn(`/category/${artes}`);
    await screen.findByText('Nenhum link encontrado nesta categoria');
    pasteAnywhere('https://exemplo.com/cor');
    await screen.findByLabelText('Título');
    await pickCategory(user, 'Pintura');
    expect(await screen.findByText(/^Limite de 5 categorias atingido/)).toBeTruthy();
    // Nothing failed: it is said beside the field, not as its error.
    expect(screen.queryByRole('alert')).toBeNull();
    expect(field('Categoria').value).toBe('Estudos / Artes');
    expect(field('URL').value).toBe('https://exemplo.com/cor');
    expect(path()).toBe(`/category/${artes}`);
  });
});

describe('a form that a pasted address opened', () => {
  test('survives a reload: pasted again, or by the button', async () => {
    const { artes } = fill();
    const first = openSignedIn('/dashboard');
    await screen.findByRole('region', { name: 'Categorias recentes' });
    pasteAnywhere('https://exemplo.com/artigo');
    await first.user.type(await screen.findByLabelText('Descrição (opcional)'), 'para ler');
    first.unmount();

    const second = openSignedIn('/dashboard');
    await screen.findByRole('region', { name: 'Categorias recentes' });
    pasteAnywhere('https://exemplo.com/artigo');
    expect(((await screen.findByLabelText('Descrição (opcional)')) as HTMLInputElement).value).toBe(
      'para ler',
    );
    second.unmount();

    const { user } = openSignedIn(`/category/${artes}`);
    await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
    expect(((await screen.findByLabelText('URL')) as HTMLInputElement).value).toBe(
      'https://exemplo.com/artigo',
    );
    expect(field('Descrição (opcional)').value).toBe('para ler');
    await user.click(screen.getByRole('button', { name: 'Cancelar' }));
    expect(drafts()).toEqual([]);
  });

  test('meets no draft of another link, nor takes its place', async () => {
    fill();
    localStorage.setItem(`linkoteca-draft-link-${fakeSession().user.id}-any`, '{"url":"https://antes.com"}');
    openSignedIn('/dashboard').unmount();
    const { user } = openSignedIn('/dashboard');
    await screen.findByRole('region', { name: 'Categorias recentes' });
    pasteAnywhere('https://exemplo.com/artigo');
    expect(((await screen.findByLabelText('URL')) as HTMLInputElement).value).toBe(
      'https://exemplo.com/artigo',
    );
    await user.type(field('Título'), 'Um artigo');
    await pickCategory(user, 'redes');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(drafts()).toEqual(['{"url":"https://antes.com"}']);
  });

  test('from the phone\u2019s share menu survives as well', async () => {
    fill();
    const first = openSignedIn('/share-target?url=https%3A%2F%2Fexemplo.com%2Fartigo');
    await first.user.type(await screen.findByLabelText('Descrição (opcional)'), 'para ler');
    first.unmount();
    openSignedIn('/share-target?url=https%3A%2F%2Fexemplo.com%2Fartigo');
    expect(((await screen.findByLabelText('Descrição (opcional)')) as HTMLInputElement).value).toBe(
      'para ler',
    );
  });
});

/** What is kept of forms that are not saved. */
function drafts(): readonly (string | null)[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith('linkoteca-draft-'));
  return keys.map((key) => localStorage.getItem(key));
}

test.each([
  ['exemplo.com/artigo', 'Seu link de exemplo.com está guardado.', ['https://exemplo.com/artigo', '']],
  ['javascript:alert(1)', 'O que você colou está guardado.', ['', 'javascript:alert(1)']],
])(
  'what was pasted on the front page, %s, goes through sign-up and waits in the form',
  async (pasted, said, fields) => {
    const visitor = renderApp(`/signup?${new URLSearchParams({ link: pasted })}`);
    expect(await screen.findByText(said, { exact: false })).toBeTruthy();
    await waitFor(() => expect(visitor.path()).toMatch(/^\/signup\?from=%2Fshare-target/));
    visitor.unmount();
    // The mail was opened on the way from elsewhere: the device remembers.
    openSignedIn('/dashboard');
    await screen.findByRole('dialog', { name: 'Adicionar Link' });
    expect([field('URL').value, field('Título').value]).toEqual(fields);
  },
);

test('an empty field of the front page is sign-up and nothing else', async () => {
  const visitor = renderApp('/signup?link=');
  await screen.findByRole('heading', { name: 'Criar conta' });
  await waitFor(() => expect(visitor.path()).toBe('/signup'));
  expect(screen.queryByText(/guardado/)).toBeNull();
});

test('what was shared before signing in is offered on arrival, once, also when the way there forgot it', async () => {
  const visitor = renderApp('/share-target?url=https%3A%2F%2Fexemplo.com%2Fartigo&title=Um%20artigo');
  await waitFor(() => expect(visitor.path()).toMatch(/^\/login\?from=%2Fshare-target/));
  visitor.unmount();

  const arrived = openSignedIn('/dashboard');
  const form = await screen.findByRole('dialog', { name: 'Adicionar Link' });
  expect([field('URL').value, field('Título').value]).toEqual(['https://exemplo.com/artigo', 'Um artigo']);
  expect(arrived.path()).toBe('/dashboard');
  await arrived.user.click(within(form).getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Em Minha biblioteca / Geral')).toBeTruthy();
  arrived.unmount();

  openSignedIn('/dashboard');
  await screen.findByRole('region', { name: 'Categorias recentes' });
  expect(screen.queryByRole('dialog')).toBeNull();
});
