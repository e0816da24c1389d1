import type { Page } from '@playwright/test';
import { dialog, searchBox, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

const sheet = (page: Page) => dialog(page, 'Atalhos do teclado');

test.describe('Quem prefere o teclado', () => {
  // An empty library takes the focus for its one field, where these keys are text.
  test.beforeEach(({ account }) => fillLibrary(account));

  test('aperta ? e lê todos os atalhos, pelo teclado ou pelo menu da conta', async ({ page, account }) => {
    await signIn(page, account);
    await page.keyboard.press('?');
    await expect(sheet(page)).toBeVisible();
    await expect(sheet(page).getByText('Adicionar link', { exact: true })).toBeVisible();
    await expectNoBarrier(page);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toBeHidden();

    await page.getByRole('button', { name: 'Abrir menu da conta' }).click();
    await page.getByRole('button', { name: /Atalhos do teclado/ }).click();
    await expect(sheet(page)).toBeVisible();
  });

  test('escreve ? e / em um campo sem que nada se abra', async ({ page, account }) => {
    await signIn(page, account);
    await page.getByRole('button', { name: 'Nova Pasta' }).first().click();
    const field = dialog(page, 'Nova Pasta').getByLabel('Nome da Pasta');
    await field.pressSequentially('por que / onde?');
    await expect(field).toHaveValue('por que / onde?');
    await expect(sheet(page)).toBeHidden();
    await page.keyboard.press('Control+k');
    await expect(searchBox(page)).not.toBeFocused();
  });

  test('desliga os atalhos de uma tecla e a escolha fica', async ({ page, account }) => {
    await signIn(page, account);
    await page.keyboard.press('?');
    await sheet(page).getByRole('switch', { name: 'Atalhos de uma só tecla' }).click();
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toBeHidden();
    await page.reload();
    await expect(searchBox(page)).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.press('?');
    await expect(searchBox(page)).not.toBeFocused();
    await expect(sheet(page)).toBeHidden();
    await page.keyboard.press('Control+k');
    await expect(searchBox(page)).toBeFocused();
  });

  test('vê em um tema de contraste quais atalhos estão ligados', async ({ page, account }) => {
    await signIn(page, account);
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await page.keyboard.press('?');
    const onOff = sheet(page).getByRole('switch', { name: 'Atalhos de uma só tecla' });
    const look = async (checked: boolean) => {
      await expect(onOff).toBeChecked({ checked });
      await onOff.blur();
      return onOff.screenshot();
    };
    const on = await look(true);
    await onOff.click();
    expect(await look(false)).not.toEqual(on);
  });

  test('vê em um tema de contraste em que ação do menu e em que aba está', async ({ page, account }) => {
    await signIn(page, account);
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await shelf(page, 'Estudos').focus();
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menu')).toBeFocused();
    const action = page.getByRole('menuitem').first();
    await page.keyboard.press('ArrowDown');
    await expect(action).toHaveAttribute('data-highlighted');
    const here = await action.screenshot();
    await page.keyboard.press('ArrowDown');
    await expect(action).not.toHaveAttribute('data-highlighted');
    expect(await action.screenshot()).not.toEqual(here);

    await page.goto('/profile');
    const tab = page.getByRole('tab').first();
    const look = async (selected: boolean) => {
      await expect(tab).toHaveAttribute('aria-selected', String(selected));
      return tab.screenshot();
    };
    const open = await look(true);
    await page.getByRole('tab').nth(1).click();
    expect(await look(false)).not.toEqual(open);
  });

  test('pula a barra lateral e chega ao conteúdo com um Tab', async ({ page, account }) => {
    await signIn(page, account);
    await page.reload();
    await expect(page.getByRole('main')).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Pular para o conteúdo' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.locator('#page')).toBeFocused();
    await expect(page).toHaveURL(/\/dashboard/);
  });
});

test.describe('Quem ainda não entrou', () => {
  test('acha Entrar e Criar Conta na barra do alto', async ({ page }) => {
    await page.goto('/terms');
    await expect(page.getByRole('link', { name: 'Entrar' })).toBeVisible();
    await page.getByRole('link', { name: 'Criar Conta' }).click();
    await expect(page).toHaveURL(/\/signup$/);
  });
});

test.describe('Quem usa o telefone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('tem uma barra de 73 px no alto e o conteúdo começa logo abaixo', async ({ page, account }) => {
    await signIn(page, account);
    const bar = page.locator('header').first();
    expect(await bar.boundingBox()).toMatchObject({ y: 0, height: 73 });
    expect((await page.getByRole('main').boundingBox())?.y).toBe(73);
    await page.goto('/terms');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await bar.boundingBox()).toMatchObject({ y: 0, height: 73 });
  });

  test('alarga a janela para 768 px e a gaveta vira barra lateral', async ({ page, account }) => {
    await signIn(page, account);
    const sidebar = page.getByRole('complementary', { name: 'Navegação' });
    await page.setViewportSize({ width: 767, height: 844 });
    await expect(page.getByRole('button', { name: 'Abrir navegação' })).toBeVisible();
    await expect(sidebar).toBeHidden();
    await page.setViewportSize({ width: 768, height: 844 });
    await expect(sidebar).toBeVisible();
    expect((await page.locator('header').first().boundingBox())?.height).toBe(56);
  });
});
