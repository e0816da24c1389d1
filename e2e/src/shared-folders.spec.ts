import { createLink, dialog, linkCard, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { openAccount } from './support/open-account.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

test('Quem compartilha uma pasta convida quem edita, vê o link chegar com quem adicionou, e ao remover a pessoa a tela dela sai na hora', async ({
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
  const editor = await openAccount(server, 'Bia Reis');
  await signIn(page, account, `/category/${categoryId}`);
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

  await page.keyboard.press('Escape');
  await expect(people).toBeHidden();
  await expect(linkCard(page, 'Bolo de fubá')).toContainText('Adicionado por Bia Reis');

  await shelf(page, 'Turma').hover();
  await page.getByRole('button', { name: 'Ações da pasta Turma' }).click();
  await page.getByRole('menuitem', { name: 'Compartilhar pasta…' }).click();
  await people.getByRole('button', { name: `Remover ${editor.email}` }).click();
  await expect(page.getByText(`${editor.email} não tem mais acesso`)).toBeVisible();
  await expect(other).toHaveURL(/\/dashboard$/);
  await expect(other.getByText('Categoria não encontrada ou acesso não autorizado')).toBeVisible();
  await expect(theirs.getByText('Turma')).toBeHidden();
  // What they added stays.
  await page.keyboard.press('Escape');
  await expect(linkCard(page, 'Bolo de fubá')).toBeVisible();
});

test('Quem edita uma pasta compartilhada cria uma categoria nela, e salva nela da janela pequena', async ({
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

  const link = new URLSearchParams({ url: 'https://example.com/limao', title: 'Torta de limão' });
  await page.goto(`/salvar?${link}`);
  await page.getByLabel('Categoria').click();
  await page.getByRole('option', { name: 'Tortas' }).click();
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
      { title: 'Torta de limão', category: 'Tortas' },
    ]);
});
