import type { Locator, Page } from '@playwright/test';
import { chooseFromMenu, dialog, linkCard, notice, shelf, signIn } from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

/** The question that two versions of one thing raise. */
const question = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Alteração em outro lugar' });

/** Opens the form of a row or card in this tab. */
async function edit(page: Page, item: Locator, title: string): Promise<Locator> {
  await chooseFromMenu(page, item, 'Editar');
  const form = dialog(page, title);
  await expect(form).toBeVisible();
  return form;
}

/** Changes one field in a tab and waits until it is saved. */
async function saveIn(page: Page, item: Locator, title: string, field: string, text: string, said: string) {
  const form = await edit(page, item, title);
  await form.getByLabel(field).fill(text);
  await form.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(notice(page, said).first()).toBeVisible();
  await expect(form).toBeHidden();
}

test.describe('Quem tem o organizador aberto em duas abas', () => {
  test('não apaga sem querer o nome que deu à pasta na outra: vê os dois e escolhe', async ({
    page,
    context,
    account,
  }) => {
    await fillLibrary(account, { folder: 'Viagens' });
    await signIn(page, account);
    const other = await context.newPage();
    await other.goto('/dashboard');

    const form = await edit(page, shelf(page, 'Viagens'), 'Editar Pasta');
    await form.getByLabel('Nome da Pasta').fill('Passeios');
    await saveIn(
      other,
      shelf(other, 'Viagens'),
      'Editar Pasta',
      'Nome da Pasta',
      'Férias',
      'Pasta atualizada com sucesso',
    );

    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(question(page)).toContainText('Passeios');
    await expect(question(page)).toContainText('Férias');
    await question(page).getByRole('button', { name: 'Voltar a editar' }).click();
    await expect(form.getByLabel('Nome da Pasta')).toHaveValue('Passeios');
    await expect(form.getByRole('button', { name: 'Salvar', exact: true })).toBeFocused();

    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Pasta atualizada com sucesso')).toBeVisible();
    await expect(question(page)).toBeHidden();
    await other.reload();
    await expect(shelf(other, 'Passeios')).toBeVisible();
  });

  test('fica com a versão atual de um link, ou mantém a sua', async ({ page, context, account }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Quarks'] });
    await signIn(page, account, `/category/${categoryId}`);
    const other = await context.newPage();
    await other.goto(`/category/${categoryId}`);
    const change = (from: string, to: string) =>
      saveIn(other, linkCard(other, from), 'Editar Link', 'Título', to, 'Link atualizado com sucesso');

    const form = await edit(page, linkCard(page, 'Quarks'), 'Editar Link');
    await form.getByLabel('Título').fill('Meus quarks');
    await change('Quarks', 'Quarks e léptons');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await question(page).getByRole('button', { name: 'Usar a atual' }).click();
    await expect(form).toBeHidden();
    await expect(linkCard(page, 'Quarks e léptons')).toBeVisible();

    await edit(page, linkCard(page, 'Quarks e léptons'), 'Editar Link');
    await form.getByLabel('Título').fill('Meus quarks');
    await change('Quarks e léptons', 'Partículas');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await question(page).getByRole('button', { name: 'Manter a minha' }).click();
    await expect(notice(page, 'Link atualizado com sucesso')).toBeVisible();
    await other.reload();
    await expect(linkCard(other, 'Meus quarks')).toBeVisible();
  });

  test('lê que a categoria foi excluída na outra, e o que digitou fica', async ({
    page,
    context,
    account,
  }) => {
    const { categoryId } = await fillLibrary(account, { folder: 'Estudos', category: 'Física' });
    await signIn(page, account);
    await shelf(page, 'Estudos').click();
    const form = await edit(page, shelf(page, 'Física'), 'Editar Categoria');
    await form.getByLabel('Nome da Categoria').fill('Física quântica');

    const other = await context.newPage();
    await other.goto(`/category/${categoryId}`);
    await chooseFromMenu(other, shelf(other, 'Física'), 'Excluir');
    await other
      .getByRole('alertdialog', { name: 'Confirmar exclusão' })
      .getByRole('button', { name: 'Excluir' })
      .click();
    await expect(notice(other, 'Categoria excluída com sucesso')).toBeVisible();

    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(
      page.getByText(/^Categoria não encontrada\. A categoria foi excluída em outro lugar/),
    ).toBeVisible();
    await expect(form.getByLabel('Nome da Categoria')).toHaveValue('Física quântica');
  });

  test('edita duas vezes seguidas sem conflito consigo mesmo', async ({ page, account }) => {
    await fillLibrary(account, { folder: 'Viagens' });
    await signIn(page, account);
    for (const [from, to] of [
      ['Viagens', 'Férias'],
      ['Férias', 'Passeios'],
    ] as const) {
      const form = await edit(page, shelf(page, from), 'Editar Pasta');
      await form.getByLabel('Nome da Pasta').fill(to);
      await form.getByRole('button', { name: 'Salvar', exact: true }).dblclick();
      await expect(form).toBeHidden();
    }
    await expect(question(page)).toBeHidden();
    await page.reload();
    await expect(shelf(page, 'Passeios')).toBeVisible();
  });
});
