import { randomUUID } from 'node:crypto';
import {
  chooseFromMenu,
  deleteQuestion,
  dialog,
  linkCard,
  notice,
  shelf,
  signIn,
} from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { shareWith } from './support/share-with.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem olha os detalhes', () => {
  test('corrige uma categoria e depois a apaga com o que há nela', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { category: 'Fisica', links: ['Um'] });
    await signIn(page, account, `/category/${categoryId}`);
    await chooseFromMenu(page, shelf(page, 'Fisica'), 'Editar');
    const form = dialog(page, 'Editar Categoria');
    await expect(form.getByLabel('Pasta')).not.toBeEditable();
    await form.getByLabel('Nome da Categoria').fill('Física');
    await form.getByRole('button', { name: 'Salvar' }).click();
    await expect(notice(page, 'Categoria atualizada com sucesso')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Física' })).toBeVisible();

    await chooseFromMenu(page, shelf(page, 'Física'), 'Excluir');
    await expect(deleteQuestion(page)).toContainText('Categoria');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Categoria excluída com sucesso')).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('não vê a categoria que não existe, e lê por quê', async ({ page, account }) => {
    await signIn(page, account, `/category/${randomUUID()}`);
    await expect(notice(page, 'Categoria não encontrada ou acesso não autorizado')).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('abre a categoria também pelo endereço antigo do painel', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { category: 'Química' });
    await signIn(page, account, `/dashboard?categoryId=${categoryId}`);
    await expect(page.getByRole('heading', { name: 'Química' })).toBeVisible();
    await page.goto('/redirect');
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('lê as informações de um link e copia o endereço', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Quarks'] });
    await signIn(page, account, `/category/${categoryId}`);
    await chooseFromMenu(page, linkCard(page, 'Quarks'), 'Informações');
    const facts = page.getByRole('dialog', { name: 'Informações do link' });
    await expect(facts.getByText(/^[0-9a-f]{8}$/)).toBeVisible();
    await expect(facts.getByText(/^\d{2}\/\d{2}\/\d{4}$/).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(facts).toBeHidden();

    await chooseFromMenu(page, linkCard(page, 'Quarks'), 'Copiar link');
    await expect(notice(page, 'Link copiado para a área de transferência')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://example.com/pagina-1');
  });

  test('não apaga nada quando nada está escolhido', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Fica'] });
    await signIn(page, account, `/category/${categoryId}`);
    await page.getByRole('button', { name: 'Selecionar' }).click();
    await page.getByRole('button', { name: 'Excluir', exact: true }).click();
    await expect(notice(page, 'Nenhum link selecionado')).toBeVisible();
    await expect(page.getByText('Fica').first()).toBeVisible();
  });

  test('vê o que outra pessoa compartilha com ela, e só lê', async ({ page, account, server }) => {
    await signIn(page, account);
    await page.getByRole('button', { name: 'Compartilhados' }).click();
    await expect(page.getByText('Nenhuma categoria compartilhada')).toBeVisible();

    const { categoryId } = await shareWith(server, account.email, 'Gravitação');
    const second = await shareWith(server, account.email, 'Óptica');
    await page.reload();
    await page.getByRole('button', { name: /^Compartilhados/ }).click();
    const shared = page.getByRole('button', { name: /^Gravitação/ });
    await expect(shared).toContainText('Por: Dona Clara');
    await shared.click();
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}$`));
    await expect(page.getByText('Compartilhado por: Dona Clara')).toBeVisible();
    await expect(page.getByText('Maçã').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Adicionar Link' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Selecionar' })).toHaveCount(0);

    await page.getByRole('button', { name: /^Óptica/ }).click();
    const limit = page.getByRole('alertdialog', { name: 'Acesso limitado' });
    await expect(limit).toBeVisible();
    await expect(page).not.toHaveURL(new RegExp(second.categoryId));
    await limit.getByRole('button', { name: 'Ver planos' }).click();
    await expect(page).toHaveURL(/\/plans$/);
  });
});
