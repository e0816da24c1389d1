import { chooseFromMenu, deleteQuestion, linkCard, notice, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

const titles = (count: number) => Array.from({ length: count }, (_, index) => `Artigo ${index + 1}`);

test.describe('Quem exclui sem querer', () => {
  test('desfaz a exclusão de uma pasta e volta à categoria que estava aberta', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { folder: 'Viagens', links: ['Lisboa', 'Porto'] });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(linkCard(page, 'Lisboa')).toBeVisible();
    await chooseFromMenu(page, shelf(page, 'Viagens'), 'Excluir');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Pasta excluída com sucesso')).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);

    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(notice(page, 'Exclusão desfeita')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}$`));
    await page.reload();
    await expect(linkCard(page, 'Lisboa')).toBeVisible();
    await expect(linkCard(page, 'Porto')).toBeVisible();
    await expect(page.getByText('2 links', { exact: true })).toBeVisible();
  });

  test('acha tudo na Lixeira: restaura a categoria como estava, convidados também, e esvazia o resto', async ({
    page,
    account,
    server,
  }) => {
    await subscribe(server, account, 'plus');
    const { categoryId } = await fillLibrary(account, {
      folder: 'Viagens',
      category: 'Portugal',
      links: ['Lisboa', 'Porto'],
    });
    await account.insert('shared_with', [{ category_id: categoryId, email: 'bia@example.com' }]);
    await signIn(page, account, `/category/${categoryId}`);
    await chooseFromMenu(page, linkCard(page, 'Porto'), 'Excluir');
    await expect(deleteQuestion(page).getByText('A Lixeira guarda por 30 dias.')).toBeVisible();
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Link excluído com sucesso')).toBeVisible();
    await chooseFromMenu(page, shelf(page, 'Portugal'), 'Excluir');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Categoria excluída com sucesso')).toBeVisible();

    await page.getByRole('link', { name: 'Lixeira' }).click();
    const rows = page.getByRole('list', { name: 'Itens na Lixeira' }).getByRole('listitem');
    await expect(rows).toHaveText([
      /Portugal.*Categoria em Viagens, com 1 link/,
      /Porto.*Viagens › Portugal/,
    ]);
    await expectNoBarrier(page, THEMES);
    await rows.first().getByRole('button', { name: 'Restaurar' }).click();
    await expect(notice(page, 'Restaurado')).toBeVisible();
    await page.getByRole('button', { name: 'Ver', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}$`));
    await expect(linkCard(page, 'Lisboa')).toBeVisible();
    await expect(page.getByText('Compartilhamento Restrito', { exact: true })).toBeVisible();

    await page.getByRole('link', { name: 'Lixeira' }).click();
    await expect(rows).toHaveText([/Porto/]);
    await page.getByRole('button', { name: 'Esvaziar lixeira' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Esvaziar lixeira' }).click();
    await expect(page.getByText('A Lixeira está vazia')).toBeVisible();
    await page.reload();
    await expect(page.getByText('A Lixeira está vazia')).toBeVisible();
  });

  test('desfaz com Ctrl+Z a exclusão de vários links', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles(5) });
    await signIn(page, account, `/category/${categoryId}`);
    await page.getByRole('link', { name: 'Artigo 5' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, '5 links excluídos com sucesso')).toBeVisible();
    await expect(page.getByText('Nenhum link encontrado nesta categoria')).toBeVisible();

    await page.keyboard.press('Control+z');
    await expect(notice(page, 'Exclusão desfeita')).toBeVisible();
    await page.reload();
    for (const title of titles(5)) await expect(linkCard(page, title)).toBeVisible();
  });

  test('alcança o botão Desfazer com F6, sem que o aviso suma enquanto isso', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles(2) });
    await signIn(page, account, `/category/${categoryId}`);
    await chooseFromMenu(page, linkCard(page, 'Artigo 2'), 'Excluir');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Link excluído com sucesso')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Artigo 1' })).toBeFocused();
    await page.keyboard.press('F6');
    const undo = page.getByRole('button', { name: 'Desfazer' });
    for (
      let step = 0;
      step < 3 && !(await undo.evaluate((each) => each === document.activeElement));
      step += 1
    )
      await page.keyboard.press('Tab');
    await expect(undo).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Exclusão desfeita')).toBeVisible();
    await expect(linkCard(page, 'Artigo 2')).toBeVisible();
  });

  test('lê por que não deu para desfazer quando o plano encheu nesse meio-tempo', async ({
    page,
    account,
  }) => {
    const { categoryId } = await fillLibrary(account, { links: titles(2) });
    await signIn(page, account, `/category/${categoryId}`);
    await chooseFromMenu(page, linkCard(page, 'Artigo 2'), 'Excluir');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(notice(page, 'Link excluído com sucesso')).toBeVisible();
    // Another window fills the plan.
    await account.insert(
      'links',
      Array.from({ length: 19 }, (_, index) => ({
        title: `Outro ${index + 1}`,
        url: `https://example.com/outro-${index + 1}`,
        category_id: categoryId,
        user_id: account.id,
      })),
    );
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(notice(page, 'Não conseguimos desfazer a exclusão')).toBeVisible();
    await expect(notice(page, 'Limite de 20 links atingido.')).toBeVisible();
    await expect(linkCard(page, 'Artigo 2')).toHaveCount(0);
  });
});
