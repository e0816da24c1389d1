import { dialog, newFolderButton, openLinkForm, searchBox, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

const SIZES = [
  { name: 'na mesa', viewport: { width: 1280, height: 800 } },
  { name: 'no telefone', viewport: { width: 390, height: 844 } },
] as const;

for (const { name, viewport } of SIZES) {
  test.describe(`Quem precisa de boa leitura (${name})`, () => {
    test.use({ viewport });

    test('entra, cria conta e recupera a senha sem barreiras', async ({ page }) => {
      for (const path of ['/login', '/signup', '/reset-password', '/endereco/que/nao/existe']) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await expectNoBarrier(page, THEMES);
      }
      await page.goto('/login');
      await page.getByRole('button', { name: 'Entrar', exact: true }).click();
      await expectNoBarrier(page, THEMES);
    });

    const narrow = viewport.width < 768;

    test('usa o painel vazio e as pastas sem barreiras', async ({ page, account }) => {
      await signIn(page, account);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoBarrier(page, THEMES);
      if (narrow) await page.getByRole('button', { name: 'Abrir navegação' }).click();
      await expect(page.getByText('Nenhuma pasta ainda').first()).toBeVisible();
      await expectNoBarrier(page, THEMES);
      await newFolderButton(page).click();
      await expect(dialog(page, 'Nova Pasta')).toBeVisible();
      await expectNoBarrier(page, THEMES);
    });

    test('cuida da própria conta sem barreiras', async ({ page, account }) => {
      await signIn(page, account, '/change-password');
      for (const path of ['/change-password', '/plans', '/profile']) {
        if (path !== '/change-password') await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectNoBarrier(page, THEMES);
      }
      for (const [tab, part] of [
        ['Segurança', page.getByRole('heading', { name: 'Dispositivos' })],
        ['Faturamento', page.getByText('Plano Free', { exact: true })],
        ['Dados', page.getByRole('button', { name: 'Excluir minha conta' })],
      ] as const) {
        await page.getByRole('tab', { name: tab, exact: true }).click();
        await expect(part).toBeVisible();
        await expectNoBarrier(page, THEMES);
      }
      await page
        .getByRole('button', { name: narrow ? 'Abrir menu' : 'Abrir menu da conta', exact: true })
        .click();
      await expect(page.getByText('Sair', { exact: true })).toBeVisible();
      await expectNoBarrier(page, THEMES);
    });

    test('organiza e procura links sem barreiras', async ({ page, account }) => {
      const { categoryId } = await fillLibrary(account, {
        links: Array.from({ length: 19 }, (_, index) => `Artigo ${index + 1}`),
      });
      await signIn(page, account, `/category/${categoryId}`);
      await expect(page.getByText('Artigo 19', { exact: true }).first()).toBeVisible();
      await expectNoBarrier(page, THEMES);
      await searchBox(page).fill('artigo');
      await expect(page.getByRole('option').first()).toBeVisible();
      await expectNoBarrier(page, THEMES);
      await searchBox(page).fill('');
      const form = await openLinkForm(page);
      await expectNoBarrier(page, THEMES);
      await form.getByRole('button', { name: 'Salvar', exact: true }).click();
      await expectNoBarrier(page, THEMES);
    });
  });
}

test('navega só com o teclado: nada prende o foco e a caixa de diálogo o devolve', async ({
  page,
  account,
}) => {
  await fillLibrary(account);
  await signIn(page, account);
  const button = page.getByRole('button', { name: 'Nova Pasta' }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Nova Pasta').getByLabel('Nome da Pasta')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page, 'Nova Pasta')).toBeHidden();
  await expect(button).toBeFocused();
});
