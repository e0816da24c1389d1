import { searchBox, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { openAccount } from './support/open-account.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

test.describe('Quem usa o campo de busca para tudo', () => {
  test('encontra o que outra pessoa compartilha, com o nome dela, e o abre', async ({
    page,
    account,
    server,
  }) => {
    const owner = await openAccount(server, 'Dona Clara');
    await subscribe(server, owner, 'plus');
    const { categoryId } = await fillLibrary(owner, { category: 'Massas', links: ['Pão de milho', 'Bolo'] });
    await fillLibrary(owner, { folder: 'Dela', category: 'Segredos', links: ['Pão secreto'] });
    await owner.insert('shared_with', [{ category_id: categoryId, email: account.email }]);
    await fillLibrary(account, { category: 'Receitas', links: ['Pão de queijo'] });
    await signIn(page, account);
    await expect(page.getByRole('heading', { name: 'Compartilhados com você' })).toBeVisible();

    await page.keyboard.press('Control+k');
    await page.keyboard.type('pao');
    const shared = page.getByRole('group', { name: 'Compartilhados com você' });
    await expect(shared.getByRole('option')).toHaveCount(1);
    await expect(shared.getByRole('option')).toContainText(/Massas.*Por: Dona Clara/);
    await expect(page.getByRole('option').first()).toContainText('Estudos › Receitas');
    await expect(page.getByText('2 links', { exact: true })).toBeVisible();
    await expectNoBarrier(page, THEMES);

    await page.keyboard.press('Enter');
    const found = page.getByRole('region', { name: 'Compartilhados com você' });
    await expect(found.getByRole('link', { name: 'Pão de milho' })).toBeVisible();
    await expect(page.getByText('Pão secreto')).toHaveCount(0);
    await expectNoBarrier(page, THEMES);

    await searchBox(page).fill('de:clara ');
    await expect(
      page.getByRole('group', { name: 'Compartilhados com você' }).getByRole('option'),
    ).toHaveCount(2);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+Enter');
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}`));
    await expect(page.getByText('Compartilhado por: Dona Clara')).toBeVisible();
  });

  test('dá comandos pelo nome ou por outra palavra, sem tirar a mão do teclado', async ({
    page,
    account,
  }) => {
    await fillLibrary(account);
    await signIn(page, account);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('>');
    await expect(page.getByRole('group', { name: 'Comandos' }).getByRole('option')).toHaveCount(25);
    await expectNoBarrier(page, THEMES);
    await page.keyboard.type('escuro');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('apagados');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/lixeira$/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('> nova pasta');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByLabel('Nome da Pasta')).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('> sair');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/login/);
  });
});

test.describe('Quem usa o campo no telefone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('toca em um comando', async ({ page, account }) => {
    await fillLibrary(account);
    await signIn(page, account);
    await searchBox(page).tap();
    await searchBox(page).fill('planos');
    const command = page.getByRole('option', { name: 'Planos' });
    expect((await command.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await expectNoBarrier(page, THEMES);
    await command.tap();
    await expect(page).toHaveURL(/\/plans$/);
  });
});
