import type { Page } from '@playwright/test';
import { linkCard, notice, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import type { Account } from './support/open-account.ts';
import { expect, test } from './support/test.ts';

async function openCategory(page: Page, account: Account) {
  const { categoryId } = await fillLibrary(account, {
    category: 'Receitas',
    links: ['Torta', 'Pudim', 'Bolo'],
  });
  await signIn(page, account, `/category/${categoryId}`);
  await expect(linkCard(page, 'Bolo')).toBeVisible();
}

async function tagAll(page: Page, names: string) {
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Selecionar todos' }).click();
  await page.getByRole('toolbar', { name: 'Seleção' }).getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('combobox', { name: 'Todos têm' }).fill(names);
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(notice(page, 'Tags salvas')).toBeVisible();
}

test.describe('Quem usa tags', () => {
  test('dá uma a vários links, acha por ela, e desfaz', async ({ page, account }) => {
    await openCategory(page, account);
    await tagAll(page, '#doce,');
    await expect(linkCard(page, 'Bolo').getByText('doce')).toBeVisible();
    await linkCard(page, 'Bolo').getByText('doce').click();
    await expect(page).toHaveURL(/\/search\?q=tag/);
    await expect(
      page.getByRole('list', { name: 'Links encontrados' }).getByRole('listitem', { includeHidden: false }),
    ).not.toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Torta' })).toBeVisible();
    await page.goBack();
    await expect(linkCard(page, 'Bolo').getByText('doce')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(linkCard(page, 'Bolo').filter({ hasNotText: 'doce' })).toBeVisible();
  });

  test('renomeia, pinta, junta e exclui na página de tags', async ({ page, account }) => {
    await openCategory(page, account);
    await tagAll(page, 'doce,festa,');
    await page.goto('/tags');
    const row = (name: string) => page.getByRole('button', { name: `Ações da tag ${name}` });
    await row('doce').click();
    await page.getByRole('menuitem', { name: 'Rosa' }).click();
    await row('doce').click();
    await page.getByRole('menuitem', { name: 'Renomear' }).click();
    await page.getByRole('textbox', { name: 'Nome da tag' }).fill('sobremesa');
    await page.keyboard.press('Enter');
    await expect(row('sobremesa')).toBeVisible();
    await row('festa').click();
    await page.getByRole('menuitem', { name: 'Juntar com outra' }).click();
    await page.getByRole('option', { name: /sobremesa/ }).click();
    await expect(notice(page, 'Tags juntadas')).toBeVisible();
    await expect(row('festa')).toBeHidden();
    await row('sobremesa').click();
    await page.getByRole('menuitem', { name: 'Excluir' }).click();
    await expect(page.getByText('Nenhuma tag ainda')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(row('sobremesa')).toBeVisible();
  });

  for (const theme of THEMES)
    test(`não encontra barreiras, tema ${theme}`, async ({ page, account }) => {
      await page.emulateMedia({ colorScheme: theme });
      await openCategory(page, account);
      await tagAll(page, 'doce,festa,sobremesa de domingo,rápido,');
      const shoot = (name: string) =>
        process.env['PICTURES']
          ? page.screenshot({ path: `${process.env['PICTURES']}/${name}-${theme}.png` })
          : null;
      await expect(linkCard(page, 'Bolo').getByText('doce')).toBeVisible();
      await shoot('category');
      await expectNoBarrier(page);
      await linkCard(page, 'Bolo').getByRole('link').focus();
      await page.keyboard.press('e');
      await expect(page.getByRole('combobox', { name: 'Tags (opcional)' })).toBeVisible();
      await shoot('form');
      await expectNoBarrier(page);
      await page.keyboard.press('Escape');
      await page.goto('/tags');
      await expect(page.getByRole('button', { name: 'Ações da tag doce' })).toBeVisible();
      await shoot('tags');
      await expectNoBarrier(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot('tags-phone');
      await page.goBack();
      await expect(linkCard(page, 'Bolo').getByText('doce')).toBeVisible();
      await shoot('category-phone');
    });
});
