import { folderTree, signIn } from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

const backgroundOf = () => getComputedStyle(document.body).backgroundColor;

test.describe('Quem usa o telefone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('abre a gaveta, escolhe uma categoria e a gaveta se fecha', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, {
      folder: 'Ciência',
      category: 'Química',
      links: ['Átomos'],
    });
    await page.goto('/login');
    await page.getByLabel(/^e-?mail$/i).fill(account.email);
    await page.getByLabel('Senha', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard$/);

    await page
      .getByRole('button', { name: /barra lateral|menu lateral|abrir (pastas|menu)/i })
      .first()
      .click();
    const drawer = page.getByRole('dialog');
    await expect(drawer).toBeVisible();
    await drawer.getByText('Ciência').click();
    await drawer.getByText('Química').click();
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}`));
    await expect(drawer).toBeHidden();
    await expect(page.getByText('Átomos').first()).toBeVisible();
  });

  test('não precisa rolar para o lado em tela nenhuma', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: ['Anticonstitucionalissimamente longo'] });
    for (const path of ['/login', '/signup', '/reset-password', '/nada']) {
      await page.goto(path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
    await page.goto('/login');
    await page.getByLabel(/^e-?mail$/i).fill(account.email);
    await page.getByLabel('Senha', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    for (const path of ['/dashboard', `/category/${categoryId}`]) {
      await page.goto(path);
      await expect(page.getByRole('main')).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
  });
});

test.describe('Quem prefere o escuro', () => {
  test('escolhe o tema, e ele fica depois de recarregar', async ({ page, account }) => {
    await signIn(page, account);
    const light = await page.evaluate(backgroundOf);
    await page.getByRole('button', { name: /tema/i }).first().click();
    const choice = page
      .getByRole('menuitemradio', { name: /escuro/i })
      .or(page.getByRole('menuitem', { name: /escuro/i }));
    await choice.first().click();
    await expect.poll(() => page.evaluate(backgroundOf)).not.toBe(light);
    const dark = await page.evaluate(backgroundOf);
    await page.reload();
    await expect(folderTree(page)).toBeVisible();
    expect(await page.evaluate(backgroundOf)).toBe(dark);
  });

  test('e o sistema já é escuro: nada precisa escolher', async ({ page }) => {
    await page.goto('/login');
    const light = await page.evaluate(backgroundOf);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(backgroundOf)).not.toBe(light);
  });
});

test.describe('Quem quer mais espaço', () => {
  test('recolhe a barra lateral com Ctrl+B e ela continua recolhida', async ({ page, account, context }) => {
    await fillLibrary(account, { folder: 'Ciência' });
    await signIn(page, account);
    const folder = page.getByText('Ciência').first();
    await expect(folder).toBeVisible();
    await page.keyboard.press('Control+b');
    await expect(folder).toBeHidden();
    const cookie = (await context.cookies()).find(({ name }) => /sidebar/i.test(name));
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    await page.reload();
    await expect(page.getByRole('main')).toBeVisible();
    await expect(folder).toBeHidden();
    await page.keyboard.press('Control+b');
    await expect(folder).toBeVisible();
  });
});
