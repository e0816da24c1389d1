import { createLink, dialog, linkCard, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { openAccount } from './support/open-account.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

test('Quem compartilha uma pasta convida quem edita, vê quem está ali e o link chegar com quem adicionou, e ao remover a pessoa a tela dela sai na hora; quem só lê acompanha', async ({
  page,
  openElsewhere,
  account,
  server,
}) => {
  await subscribe(server, account, 'plus');
  const { categoryId, folderId } = await fillLibrary(account, {
    folder: 'Turma',
    category: 'Receitas',
    links: ['Pão'],
  });
  const editor = await openAccount(server, 'Bia Reis');
  const reader = await openAccount(server, 'Caio Lima');
  await account.insert('folder_members?select=id', [
    { folder_id: folderId, email: reader.email, role: 'viewer' },
  ]);
  await signIn(page, account, `/category/${categoryId}`);
  const third = await openElsewhere();
  await signIn(third, reader, `/category/${categoryId}`);
  await expect(linkCard(third, 'Pão')).toBeVisible();
  const other = await openElsewhere();
  await signIn(other, editor);
  const theirs = other.getByRole('complementary', { name: 'Navegação' });
  await theirs.getByRole('button', { name: /^Compartilhados/ }).click();
  await expect(theirs.getByText('Nenhuma categoria compartilhada')).toBeVisible();

  await shelf(page, 'Turma').hover();
  await page.getByRole('button', { name: 'Ações da pasta Turma' }).click();
  await page.getByRole('menuitem', { name: 'Compartilhar pasta…' }).click();
  const people = dialog(page, 'Compartilhar pasta');
  await people.getByLabel('Convidar por e-mail').fill(editor.email);
  await expectNoBarrier(page, THEMES);
  await people.getByRole('button', { name: 'Convidar', exact: true }).click();
  await expect(people.getByLabel(`Permissão de ${editor.email}`)).toHaveValue('editor');

  // Without reloading: the folder comes, its category opens, and there is a button to add.
  await theirs.getByRole('list', { name: 'Turma' }).getByRole('button', { name: 'Receitas' }).click();
  await expect(other.getByText('Compartilhado por: Ana Souza')).toBeVisible();
  await createLink(other, { url: 'https://example.com/bolo', title: 'Bolo de fubá' });
  await expect(linkCard(other, 'Bolo de fubá')).toContainText('Adicionado por Bia Reis');
  await other.getByRole('button', { name: 'Ações do link Bolo de fubá' }).click();
  await other.getByRole('menuitem', { name: 'Tags' }).click();
  const tags = dialog(other, 'Tags do link');
  await tags.getByLabel('Tags').fill('festa junina,');
  await tags.getByRole('button', { name: 'Salvar' }).click();
  await expect(linkCard(other, 'Bolo de fubá')).toContainText('festa junina');

  await page.keyboard.press('Escape');
  await expect(people).toBeHidden();
  await expect(linkCard(page, 'Bolo de fubá')).toContainText('Adicionado por Bia Reis');
  await expect(linkCard(page, 'Bolo de fubá')).toContainText('festa junina');
  // Both look at it, and each is told of the other.
  await expect(page.getByText('Bia está aqui')).toBeVisible();
  await expect(other.getByText('Ana está aqui')).toBeVisible();
  // Whoever only looks on sees the link as well, and is told of nobody.
  await expect(linkCard(third, 'Bolo de fubá')).toContainText('festa junina');
  await expect(third.getByText(/(está|estão) aqui/)).toBeHidden();
  await expectNoBarrier(page, THEMES);

  await shelf(page, 'Turma').hover();
  await page.getByRole('button', { name: 'Ações da pasta Turma' }).click();
  await page.getByRole('menuitem', { name: 'Compartilhar pasta…' }).click();
  await people.getByRole('button', { name: `Remover ${editor.email}` }).click();
  await expect(page.getByText(`${editor.email} não tem mais acesso`)).toBeVisible();
  await expect(other).toHaveURL(/\/dashboard$/);
  await expect(other.getByText('Categoria não encontrada ou acesso não autorizado')).toBeVisible();
  await expect(theirs.getByText('Turma')).toBeHidden();
  await expect(linkCard(third, 'Bolo de fubá')).toBeVisible();
  // What they added stays.
  await page.keyboard.press('Escape');
  await expect(page.getByText('Bia está aqui')).toBeHidden();
  await expect(linkCard(page, 'Bolo de fubá')).toBeVisible();
});

test('Quem tem uma turma cola os endereços uma vez e dá acesso ao grupo, e quem sai do grupo perde a pasta na hora', async ({
  page,
  openElsewhere,
  account,
  server,
}) => {
  await subscribe(server, account, 'plus');
  const { categoryId } = await fillLibrary(account, {
    folder: 'Turma',
    category: 'Receitas',
    links: ['Pão'],
  });
  const pupil = await openAccount(server, 'Bia Reis');
  await signIn(page, account, `/category/${categoryId}`);
  const other = await openElsewhere();
  await signIn(other, pupil);
  const theirs = other.getByRole('complementary', { name: 'Navegação' });
  await theirs.getByRole('button', { name: /^Compartilhados/ }).click();
  await expect(theirs.getByText('Nenhuma categoria compartilhada')).toBeVisible();

  await shelf(page, 'Turma').hover();
  await page.getByRole('button', { name: 'Ações da pasta Turma' }).click();
  await page.getByRole('menuitem', { name: 'Compartilhar pasta…' }).click();
  const people = dialog(page, 'Compartilhar pasta');
  await people.getByRole('button', { name: 'Novo grupo' }).click();
  const groups = dialog(page, 'Grupos');
  await groups.getByRole('button', { name: 'Novo grupo' }).click();
  const form = dialog(page, 'Novo grupo');
  await form.getByLabel('Nome do grupo').fill('Turma 9B');
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    `Bia <${pupil.email}>, caio@example.com`,
  );
  await form.getByLabel('Pessoas do grupo').focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(form.getByText('2/500')).toBeVisible();
  await expectNoBarrier(page, THEMES);
  await form.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(groups.getByText('2 pessoas')).toBeVisible();
  await expectNoBarrier(page, THEMES);
  await groups.getByRole('button', { name: 'Voltar à pasta' }).click();
  await people.getByRole('button', { name: 'Dar acesso a Turma 9B, 2 pessoas' }).click();
  await expect(people.getByLabel('Permissão de Turma 9B')).toHaveValue('viewer');
  await expectNoBarrier(page, THEMES);

  // Without reloading: the folder comes, to be looked at; as an editor's there is a button to add.
  await theirs.getByRole('list', { name: 'Turma' }).getByRole('button', { name: 'Receitas' }).click();
  await expect(linkCard(other, 'Pão')).toBeVisible();
  await people.getByLabel('Permissão de Turma 9B').selectOption('Pode editar');
  await createLink(other, { url: 'https://example.com/bolo', title: 'Bolo de fubá' });
  await expect(linkCard(other, 'Bolo de fubá')).toContainText('Adicionado por Bia Reis');

  await people.getByRole('button', { name: 'Gerenciar grupos' }).click();
  await groups.getByRole('button', { name: 'Editar Turma 9B' }).click();
  const change = dialog(page, 'Editar grupo');
  await change.getByRole('button', { name: `Remover ${pupil.email}` }).click();
  await change.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(other).toHaveURL(/\/dashboard$/);
  await expect(theirs.getByText('Turma')).toBeHidden();
});

test('Quem passa a pasta adiante vê quem recebe aceitar, e continua nela como quem gerencia', async ({
  page,
  openElsewhere,
  account,
  server,
}) => {
  await subscribe(server, account, 'plus');
  const { categoryId } = await fillLibrary(account, {
    folder: 'Turma',
    category: 'Receitas',
    links: ['Pão'],
  });
  const heir = await openAccount(server, 'Bia Reis');
  await subscribe(server, heir, 'plus');
  const [folder] = (await account.read('folders?select=id')) as { id: string }[];
  await account.insert('folder_members?columns=folder_id,email,role&select=id', [
    { folder_id: folder?.id, email: heir.email, role: 'editor' },
  ]);
  const other = await openElsewhere();
  await signIn(other, heir);
  await signIn(page, account);
  await shelf(page, 'Turma').hover();
  await page.getByRole('button', { name: 'Ações da pasta Turma' }).click();
  await page.getByRole('menuitem', { name: 'Compartilhar pasta…' }).click();
  const people = dialog(page, 'Compartilhar pasta');
  await people.getByText('Passar a pasta adiante').click();
  await expectNoBarrier(page, THEMES);
  await people.getByRole('button', { name: 'Oferecer pasta' }).click();
  await expect(people.getByText(`Aguardando a resposta de ${heir.email}.`)).toBeVisible();
  await page.keyboard.press('Escape');

  // Without reloading: the offer comes, with what it adds.
  const offers = other.getByRole('list', { name: 'Pastas que podem ser suas' });
  await expect(offers).toContainText('Ana Souza quer passar a pasta Turma para você.');
  await expect(offers).toContainText('1 categoria e 1 link');
  await expectNoBarrier(other, THEMES);
  await offers.getByRole('button', { name: 'Aceitar' }).click();
  await expect(shelf(other, 'Turma')).toBeVisible();

  // The old owner's screen follows: the folder is no longer theirs, and stands with what others share.
  await expect(shelf(page, 'Turma')).toBeHidden();
  const own = page.getByRole('complementary', { name: 'Navegação' });
  await own.getByRole('button', { name: /^Compartilhados/ }).click();
  await own.getByRole('list', { name: 'Turma' }).getByRole('button', { name: 'Receitas' }).click();
  await expect(page).toHaveURL(new RegExp(categoryId));
  await expect(page.getByText('Compartilhado por: Bia Reis')).toBeVisible();
  await createLink(page, { url: 'https://example.com/bolo', title: 'Bolo de fubá' });
  await expect(linkCard(page, 'Bolo de fubá')).toContainText('Adicionado por Ana Souza');
});

test('Quem volta a uma pasta compartilhada vê quantos links são novos, até olhar a categoria', async ({
  page,
  account,
  server,
}) => {
  const owner = await openAccount(server, 'Bia Reis');
  await subscribe(server, owner, 'plus');
  const { categoryId } = await fillLibrary(owner, { folder: 'Turma', category: 'Receitas', links: ['Pão'] });
  const [folder] = (await owner.read('folders?select=id')) as { id: string }[];
  await owner.insert('folder_members?columns=folder_id,email,role&select=id', [
    { folder_id: folder?.id, email: account.email, role: 'viewer' },
  ]);
  const add = (title: string) =>
    owner.insert('links?select=id', [{ url: 'https://example.com/', title, category_id: categoryId }]);
  await add('Bolo');
  await add('Torta');
  await signIn(page, account);
  const own = page.getByRole('complementary', { name: 'Navegação' });
  await own.getByRole('button', { name: /^Compartilhados/ }).click();
  const category = own.getByRole('list', { name: 'Turma' }).getByRole('button', { name: /^Receitas/ });
  await expect(category).toHaveAccessibleName('Receitas 2 links novos');
  await expectNoBarrier(page, THEMES);
  // What is on the screen is no news at once; that one has looked is kept when the server has it.
  const looked = page.waitForResponse(/\/rpc\/see_category/);
  await category.click();
  await expect(linkCard(page, 'Torta')).toBeVisible();
  await expect(category).toHaveAccessibleName('Receitas');
  await looked;
  await page.goto('/dashboard');
  await expect(own.getByRole('button', { name: /^Compartilhados/ })).toBeVisible();
  await add('Pudim');
  await page.reload();
  await own.getByRole('button', { name: /^Compartilhados/ }).click();
  await expect(category).toHaveAccessibleName('Receitas 1 link novo');
});

test('Quem edita uma pasta compartilhada cria uma categoria nela, traz um arquivo de favoritos, e salva nela da janela pequena', async ({
  page,
  account,
  server,
}) => {
  const owner = await openAccount(server, 'Dona Clara');
  await subscribe(server, owner, 'plus');
  const { folderId } = await fillLibrary(owner, { folder: 'Turma', category: 'Receitas', links: ['Pão'] });
  const member = { folder_id: folderId, email: account.email, role: 'editor' };
  await owner.insert('folder_members?select=id', [member]);
  await signIn(page, account);
  const sidebar = page.getByRole('complementary', { name: 'Navegação' });
  await sidebar.getByRole('button', { name: /^Compartilhados/ }).click();
  await sidebar.getByRole('button', { name: 'Ações da pasta compartilhada Turma' }).click();
  await page.getByRole('menuitem', { name: 'Nova Categoria' }).click();
  const form = dialog(page, 'Nova Categoria');
  await form.getByLabel('Nome da Categoria').fill('Tortas');
  await expectNoBarrier(page, THEMES);
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tortas' })).toBeVisible();

  await page.keyboard.press('n');
  await dialog(page, 'Adicionar Link').getByRole('button', { name: 'Colar vários' }).click();
  const many = dialog(page, 'Adicionar vários links');
  await expectNoBarrier(page, THEMES);
  const bookmarks =
    '<DL><DT><A HREF="https://example.com/maca">Maçã</A><DT><A HREF="https://example.com/figo">Figo</A></DL>';
  await many
    .getByLabel('Escolher arquivo de favoritos')
    .setInputFiles({ name: 'favoritos.html', mimeType: 'text/html', buffer: Buffer.from(bookmarks) });
  await many.getByRole('button', { name: 'Salvar 2 links' }).click();
  await expect(linkCard(page, 'Maçã')).toBeVisible();
  await expect(linkCard(page, 'Figo')).toBeVisible();

  const link = new URLSearchParams({ url: 'https://example.com/limao', title: 'Torta de limão' });
  await page.goto(`/salvar?${link}`);
  await page.getByLabel('Categoria').click();
  await page.getByRole('option', { name: 'Tortas', exact: true }).click();
  await expect(page.getByLabel('Categoria')).toHaveValue('Turma (de Dona Clara) / Tortas');
  await expectNoBarrier(page, THEMES);
  const save = page.getByRole('button', { name: 'Salvar' });
  await expect(save).not.toHaveAttribute('aria-disabled');
  await save.click();
  await expect(page.getByText('Salvo', { exact: true })).toBeVisible();
  await expect
    .poll(() => owner.read('links?select=title,...categories(category:name)&order=created_at'))
    .toEqual([
      { title: 'Pão', category: 'Receitas' },
      { title: 'Figo', category: 'Tortas' },
      { title: 'Maçã', category: 'Tortas' },
      { title: 'Torta de limão', category: 'Tortas' },
    ]);
});
