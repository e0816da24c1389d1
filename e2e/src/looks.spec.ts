import type { Page } from '@playwright/test';
import { newFolderButton, searchBox, shelf, signIn } from './support/actions.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

const backgroundOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

/** How many pixels stick out at the side. */
const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test.describe('Quem usa o telefone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('abre a gaveta, escolhe uma categoria e a gaveta se fecha', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, {
      folder: 'Ciência',
      category: 'Química',
      links: ['Átomos'],
    });
    await signIn(page, account);
    await page.getByRole('button', { name: 'Abrir navegação' }).tap();
    const drawer = page.getByRole('dialog', { name: 'Navegação' });
    await expect(drawer).toBeVisible();
    await shelf(page, 'Ciência').tap();
    await shelf(page, 'Química').tap();
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}`));
    await expect(drawer).toBeHidden();
    await expect(page.getByText('Átomos').first()).toBeVisible();
  });

  test('volta com o botão do sistema: fecha a gaveta e a busca antes de sair da página', async ({
    page,
    account,
  }) => {
    const { categoryId } = await fillLibrary(account, {
      links: Array.from({ length: 12 }, (_, index) => `Leitura ${index + 1}`),
    });
    await signIn(page, account);
    await page.goto(`/category/${categoryId}`);
    await expect(page.getByRole('link', { name: 'Leitura 12' })).toBeVisible();
    const main = page.locator('#page');
    const scrolledTo = () => main.evaluate((element) => element.scrollTop);
    await main.evaluate((element) => element.scrollTo(0, 300));
    await expect.poll(scrolledTo).toBe(300);

    const drawer = page.getByRole('dialog', { name: 'Navegação' });
    await page.getByRole('button', { name: 'Abrir navegação' }).tap();
    await expect(drawer).toBeVisible();
    await page.goBack();
    await expect(drawer).toBeHidden();
    await searchBox(page).tap();
    await searchBox(page).fill('leitura');
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('option')).toHaveCount(0);
    await expect(searchBox(page)).toHaveValue('');
    await expect(page).toHaveURL(new RegExp(`/category/${categoryId}$`));
    expect(await scrolledTo()).toBe(300);

    // Closed by hand it leaves nothing behind: the next step back leaves the page.
    await page.getByRole('button', { name: 'Abrir navegação' }).tap();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('não precisa rolar para o lado em tela nenhuma', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, {
      links: ['Anticonstitucionalissimamente'.repeat(3)],
    });
    for (const path of ['/', '/login', '/signup', '/reset-password', '/nada']) {
      await page.goto(path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      expect(await overflowOf(page), path).toBe(0);
    }
    await signIn(page, account);
    for (const path of ['/dashboard', `/category/${categoryId}`, '/profile', '/plans']) {
      await page.goto(path);
      await expect(page.getByRole('main')).toBeVisible();
      expect(await overflowOf(page), path).toBe(0);
    }
  });

  test('sai pelo menu do telefone', async ({ page, account }) => {
    await signIn(page, account);
    await page.getByRole('button', { name: 'Abrir menu', exact: true }).tap();
    const menu = page.getByRole('dialog', { name: 'Conta' });
    for (const entry of ['Perfil', 'Planos', 'Upgrade']) {
      await expect(menu.getByRole('link', { name: entry })).toBeVisible();
    }
    await expect(menu.getByRole('progressbar', { name: 'Links usados' })).toBeVisible();
    await expect(menu.getByText('Idioma')).toBeVisible();
    await menu.getByRole('button', { name: 'Assinatura' }).tap();
    const settings = page.getByRole('dialog', { name: 'Configurações da Conta' });
    await expect(settings.getByText('Faturamento e Assinatura')).toBeVisible();
    await settings.getByRole('button', { name: 'Fechar' }).tap();
    await page.getByRole('button', { name: 'Abrir menu', exact: true }).tap();
    await menu.getByRole('button', { name: 'Sair' }).tap();
    await expect(page).toHaveURL(/\/login/);
  });
});

test.describe('Quem prefere o escuro', () => {
  test('escolhe o tema, e ele fica depois de recarregar', async ({ page, account }) => {
    await signIn(page, account);
    const light = await backgroundOf(page);
    await page.getByRole('button', { name: /Mudar para tema claro$/ }).click();
    expect(await backgroundOf(page)).toBe(light);
    await page.getByRole('button', { name: /Mudar para tema escuro$/ }).click();
    await expect.poll(() => backgroundOf(page)).not.toBe(light);
    const dark = await backgroundOf(page);
    await page.reload();
    await expect(newFolderButton(page)).toBeVisible();
    expect(await backgroundOf(page)).toBe(dark);
  });

  test('e já tem o sistema escuro não precisa escolher nada', async ({ page }) => {
    await page.goto('/login');
    const light = await backgroundOf(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => backgroundOf(page)).not.toBe(light);
  });

  test('e pediu menos movimento vê a página toda mudar de uma vez', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/login');
    await expect(page.getByRole('heading', { name: 'Entrar', level: 1 })).toBeVisible();
    const changing = await page.evaluate(() => {
      document.documentElement.style.colorScheme = 'dark';
      return document.getAnimations().length;
    });
    expect(changing).toBe(0);
  });

  test('e pediu menos movimento vê parado também o que espera pelos dados', async ({ page, account }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.route('**/rest/v1/folders*', () => undefined);
    await signIn(page, account);
    const waiting = page.locator('.animate-breathe').first();
    await expect(waiting).toBeVisible();
    await expect
      .poll(() =>
        page.evaluate(() => document.getAnimations().filter((a) => a.playState === 'running').length),
      )
      .toBe(0);
  });
});

test.describe('Quem quer mais espaço', () => {
  test('recolhe a barra lateral com Ctrl+B e ela continua recolhida', async ({ page, account, context }) => {
    await fillLibrary(account, { folder: 'Ciência' });
    await signIn(page, account);
    const sidebar = page.getByRole('complementary', { name: 'Navegação' });
    const widthOf = async () => (await sidebar.boundingBox())?.width;
    await expect(shelf(page, 'Ciência')).toBeVisible();
    expect(await widthOf()).toBe(256);

    await page.keyboard.press('Control+b');
    await expect(shelf(page, 'Ciência')).toBeHidden();
    await expect.poll(widthOf).toBe(48);
    const cookie = (await context.cookies()).find(({ name }) => /sidebar/i.test(name));
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);

    await page.reload();
    await expect(page.getByRole('main')).toBeVisible();
    await expect.poll(widthOf).toBe(48);
    await page.keyboard.press('Control+b');
    await expect(shelf(page, 'Ciência')).toBeVisible();
  });
});

test('A letra de um site se lê em cada uma das oito cores, nos dois temas', async ({ page, account }) => {
  await signIn(page, account);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const contrasts = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      /** Relative luminance (WCAG 2.2), of a colour as the screen shows it. */
      const luminance = (colour: string) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
          .map((value) => value / 255)
          .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return Array.from({ length: 8 }, (_, hue) => {
        const face = document.createElement('span');
        face.className = 'link-face';
        face.dataset['hue'] = String(hue);
        face.dataset['letter'] = 'A';
        document.body.append(face);
        const [dark = 0, light = 0] = [
          getComputedStyle(face).backgroundColor,
          getComputedStyle(face, '::before').color,
        ]
          .map(luminance)
          .toSorted((a, b) => a - b);
        face.remove();
        return (light + 0.05) / (dark + 0.05);
      });
    });
    expect(new Set(contrasts).size, colorScheme).toBe(8);
    expect(Math.min(...contrasts), colorScheme).toBeGreaterThan(4.5);
  }
});
