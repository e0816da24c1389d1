import { searchBox, signIn } from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem procura um link', () => {
  test('aperta /, digita, desce com a seta e abre a categoria com Enter', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, {
      category: 'Física',
      links: ['Ação e reação', 'Ação de graças', 'Outra coisa'],
    });
    await signIn(page, account);
    await page.keyboard.press('/');
    await expect(searchBox(page)).toBeFocused();
    await page.keyboard.type('acao');
    await expect(page.getByRole('option')).toHaveCount(2);
    await expect(page.getByRole('option').first()).toContainText('Física');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}`));
    await expect(searchBox(page)).toHaveValue('');
  });

  test('clica em um resultado e a busca se limpa', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Buracos negros'] });
    await signIn(page, account);
    await searchBox(page).fill('BURACOS');
    await page.getByRole('option', { name: /Buracos negros/ }).click();
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}`));
    await expect(searchBox(page)).toHaveValue('');
  });

  test('lê que nada foi encontrado e limpa a busca', async ({ page, account }) => {
    await fillLibrary(account, { links: ['Um', 'Dois'] });
    await signIn(page, account);
    await searchBox(page).fill('%');
    await expect(page.getByText('Nenhum resultado encontrado')).toBeVisible();
    await page.getByRole('button', { name: /limpar/i }).click();
    await expect(searchBox(page)).toHaveValue('');
    await expect(page.getByText('Nenhum resultado encontrado')).toBeHidden();
  });

  test('é avisado quando a busca falha', async ({ page, account, context }) => {
    await fillLibrary(account, { links: ['Um'] });
    await signIn(page, account);
    await context.route('**/rest/v1/rpc/search_links**', (route) =>
      route.fulfill({ status: 400, contentType: 'application/json', body: '{"code":"XX","message":"não"}' }),
    );
    await searchBox(page).fill('um');
    await expect(page.getByText('Não foi possível realizar a busca. Tente novamente.').first()).toBeVisible();
  });
});
