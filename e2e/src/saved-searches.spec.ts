import { searchBox, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem faz a mesma pergunta todo dia', () => {
  test('guarda a busca, vê quantos links ela acha agora, dá outro nome, e a exclui e traz de volta', async ({
    page,
    account,
    openElsewhere,
  }) => {
    const { categoryId } = await fillLibrary(account, {
      category: 'Doces',
      links: ['Bolo de fubá', 'Torta'],
    });
    await signIn(page, account);
    const saved = page.getByRole('region', { name: 'Buscas salvas' });
    await searchBox(page).fill('bolo em:doces');
    await searchBox(page).press('Enter');
    await expect(page.getByText('· 1 link')).toBeVisible();
    await page.getByRole('button', { name: 'Guardar busca' }).click();
    await expect(saved.getByRole('link')).toHaveText(['bolo em:doces1, 1 link']);
    await page.getByRole('button', { name: 'Dar outro nome' }).click();
    await page.getByRole('textbox', { name: 'Nome da busca' }).fill('Bolos da casa');
    await page.keyboard.press('Enter');
    await expect(saved.getByRole('link')).toHaveText(['Bolos da casa1, 1 link']);
    await expectNoBarrier(page, THEMES);
    // Another device has it too, and counts what comes here.
    const elsewhere = await openElsewhere();
    await signIn(elsewhere, account);
    const savedThere = elsewhere.getByRole('region', { name: 'Buscas salvas' });
    await expect(savedThere.getByRole('link')).toHaveText(['Bolos da casa1, 1 link']);
    await account.insert('links', [
      { title: 'Bolo de milho', url: 'https://a.br/milho', category_id: categoryId, user_id: account.id },
    ]);
    await expect(saved.getByRole('link')).toHaveText(['Bolos da casa2, 2 links']);
    await expect(savedThere.getByRole('link')).toHaveText(['Bolos da casa2, 2 links']);
    await elsewhere.close();

    await page.goto('/dashboard');
    await saved.getByRole('link').click();
    await expect(page.locator('[data-found-link]')).toHaveText(['Bolo de milho', 'Bolo de fubá']);
    await page.getByRole('button', { name: 'Ações da busca Bolos da casa' }).click();
    await page.getByRole('menuitem', { name: 'Excluir' }).click();
    await expect(saved).toHaveCount(0);
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(saved.getByRole('link')).toHaveText(['Bolos da casa2, 2 links']);
  });
});
