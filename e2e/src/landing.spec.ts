import type { Page } from '@playwright/test';
import { newFolderButton, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { openFront } from './support/open-front.ts';
import { expect, test } from './support/test.ts';

const PHONE = { width: 390, height: 844 };
const scrolledTo = (page: Page) => page.evaluate(() => Math.round(scrollY));
const menuButton = (page: Page) => page.getByRole('button', { name: 'Menu' });

test.describe('Quem chega à página inicial', () => {
  test('lê o que é, abre cada pergunta sem fechar as outras, e os botões levam aonde dizem', async ({
    page,
  }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Seus links merecem uma estante, não uma gaveta.',
    );
    // Nothing of the app is fetched: the page, a font, a picture, the icon.
    expect(requests.filter((url) => /\.(?:js|css)\b|config\.json/.test(url))).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(5);

    const answers = page.locator('details');
    await expect(answers).toHaveCount(3);
    await page.getByText('Quem consegue ver os meus links?').click();
    await page.getByText('Posso levar tudo embora?').click();
    await expect(page.getByText(/Cada categoria nasce privada/)).toBeVisible();
    await expect(page.getByText(/cópia completa dos seus dados em JSON/)).toBeVisible();
    await expect(page.getByText(/devolvemos o valor inteiro/)).toBeHidden();
    await page.getByText('Quem consegue ver os meus links?').click();
    await expect(page.getByText(/Cada categoria nasce privada/)).toBeHidden();
    await expect(page.getByText(/cópia completa dos seus dados em JSON/)).toBeVisible();
    // By keyboard, too.
    await page.getByText('O que acontece se eu cancelar um plano pago?').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(/devolvemos o valor inteiro/)).toBeVisible();

    for (const [name, address] of [
      ['Acessar', /\/login$/],
      ['Criar Conta Grátis', /\/signup$/],
      ['Comece Agora', /\/signup$/],
      ['Termos de uso', /\/terms$/],
      ['Política de privacidade', /\/privacy-policy$/],
    ] as const) {
      await page.getByRole('link', { name }).click();
      await expect(page).toHaveURL(address);
      await page.goBack();
    }
  });

  for (const [name, viewport] of [
    ['na mesa', { width: 1280, height: 800 }],
    ['no telefone', PHONE],
  ] as const) {
    test(`não encontra barreiras, em tema algum (${name})`, async ({ page }) => {
      await page.setViewportSize(viewport);
      for (const path of ['/', '/terms', '/privacy-policy']) {
        await page.goto(path);
        await expect(page.locator('.below')).toHaveCount(0);
        for (const question of await page.locator('summary').all()) await question.click();
        // Colours are the same in every size: both themes once for the legal pages.
        await expectNoBarrier(page, path === '/' || viewport === PHONE ? THEMES : ['light']);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          path,
        ).toBeLessThanOrEqual(0);
      }
    });
  }

  test('vê a primeira tela antes do resto, e nada se move quando ele vem', async ({ page }) => {
    await page.addInitScript(() => {
      const seen = { alone: false, moved: 0 };
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const isHeldBack = document.documentElement.dataset['first'] !== undefined;
        seen.alone ||= !isHeldBack && performance.getEntriesByName('first-contentful-paint').length > 0;
      }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-first'] });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.moved += 'value' in entry ? Number(entry.value) : 0;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const read = () =>
      page.evaluate(() => (window as unknown as { seen: { alone: boolean; moved: number } }).seen);
    await page.setViewportSize(PHONE);
    await page.goto('/');
    await expect(page.locator('.below')).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toBeVisible();
    expect(await read()).toEqual({ alone: true, moved: 0 });
    // At a place further down, and back from another page, all of it is there from the beginning.
    await page.goto('/terms');
    await page.goto('/#precos');
    await expect(page.locator('#precos')).toBeInViewport();
    expect((await read()).alone).toBe(false);
    const place = await scrolledTo(page);
    await page.getByRole('link', { name: 'Comece Agora' }).click();
    // Whoever goes back in the moment of leaving is led to the top: the browser has not kept the place by then.
    await expect(page.getByRole('button', { name: 'Criar Conta' })).toBeVisible();
    await page.goBack();
    await expect.poll(() => scrolledTo(page)).toBeGreaterThan(place);
  });

  test('vê o produto no tema que fixou, mesmo que o do sistema seja outro', async ({ page }) => {
    const shown = async (picture: string) => {
      await expect
        .poll(() =>
          page
            .locator('picture img')
            .evaluate((image: HTMLImageElement) => (image.complete ? image.currentSrc : '')),
        )
        .toContain(picture);
    };
    await page.goto('/');
    await shown('desk-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shown('desk-dark');
    await page.evaluate(() => localStorage.setItem('linkoteca-theme', 'light'));
    await page.reload();
    await shown('desk-light');
    await page.setViewportSize(PHONE);
    await page.evaluate(() => localStorage.setItem('linkoteca-theme', 'dark'));
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await shown('phone-dark');
  });
});

test.describe('Quem chega com o telefone', () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true });

  test('abre o menu: a página não rola, Esc fecha e o foco volta, um item leva à sua seção', async ({
    page,
  }) => {
    await page.goto('/');
    expect((await page.locator('header').boundingBox())?.height).toBe(73);
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await expect(menu).toBeHidden();
    await menuButton(page).tap();
    await expect(menu).toBeVisible();
    await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true');
    await expectNoBarrier(page, THEMES);
    await page.mouse.wheel(0, 600);
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await scrolledTo(page)).toBe(0);
    // Nothing behind the menu takes the focus.
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('main, footer') ?? null)).toBeNull();
    }

    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(menuButton(page)).toBeFocused();
    await page.mouse.wheel(0, 600);
    await expect.poll(() => scrolledTo(page)).toBeGreaterThan(0);

    await menuButton(page).tap();
    await menu.getByRole('link', { name: 'Preços' }).tap();
    await expect(menu).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Preços sem letra miúda' })).toBeInViewport();

    await menuButton(page).tap();
    await page.setViewportSize({ width: 1024, height: 700 });
    await expect(menu).toBeHidden();
    await page.mouse.wheel(0, -300);
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).overflowY))
      .toBe('visible');
  });
});

test.describe('Quem navega sem JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: PHONE });

  test('lê tudo, abre o menu e as perguntas, e chega aos termos', async ({ page }) => {
    await page.goto('/');
    await menuButton(page).click();
    await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByText('Posso levar tudo embora?').click();
    await expect(page.getByText(/cópia completa dos seus dados em JSON/)).toBeVisible();
    await page.getByRole('link', { name: 'Termos de uso' }).click();
    await expect(page.getByRole('heading', { name: 'Termos de uso' })).toBeVisible();
    await page.getByRole('link', { name: 'Política de privacidade' }).click();
    await expect(page.getByRole('heading', { name: 'Política de privacidade' })).toBeVisible();
  });
});

test.describe('Quem já tem conta', () => {
  test('vai da página inicial ao painel, e com uma sessão encerrada volta a poder ler a página', async ({
    page,
    account,
    server,
  }) => {
    await signIn(page, account, '/terms');
    await expect(page.getByRole('link', { name: 'Abrir meus links' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Entrar' })).toBeHidden();
    await expect(page.getByRole('link', { name: 'Abrir meus links' })).toHaveAttribute('href', '/login');
    await page.getByRole('link', { name: 'Abrir meus links' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goto('/terms');
    await page.getByRole('link', { name: 'Linkoteca, página inicial' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(newFolderButton(page)).toBeVisible();

    // Away from the app: an open one hears that its session has ended, and forgets it by itself.
    await page.goto('/terms');
    await fetch(`${server.url}/auth/v1/logout?scope=global`, {
      method: 'POST',
      headers: { authorization: `Bearer ${(account.session as { access_token: string }).access_token}` },
    });
    // As it is when it comes back long after: the saved token has run out, and nobody renews it.
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((name) => name.endsWith('-auth-token')) ?? '';
      const saved = JSON.parse(localStorage.getItem(key) ?? '{}');
      localStorage.setItem(key, JSON.stringify({ ...saved, expires_at: 1 }));
    });
    await page.goto('/');
    await expect(page).toHaveURL(/\/login/);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/estante/);
    await expect(page).toHaveURL(/\/$/);
  });

  test('que recebeu um link do serviço de contas na página inicial é entendido pelo aplicativo', async ({
    page,
  }) => {
    await page.goto('/?error=access_denied&error_code=otp_expired#error_code=otp_expired');
    await expect(page.getByText(/Este link expirou ou já foi usado/)).toBeVisible();
    await expect(page).toHaveURL(/\/login/);
    // From a screen of the app to the pages of the server, and back.
    await page.getByRole('link', { name: 'Termos de uso' }).click();
    await expect(page.getByText('Última atualização: 11 de maio de 2025')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Entrar', level: 1 })).toBeVisible();
    await page.getByRole('link', { name: 'Linkoteca, página inicial' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/estante/);
  });
});

test.describe('Quem perde a conexão', () => {
  test.use({ serviceWorkers: 'allow' });

  test('abre de novo a página que já viu, e do aplicativo o que ele guarda', async ({ page, server }) => {
    const front = await openFront(server.url);
    try {
      await page.goto(`${front.url}/login`);
      const isInCharge = () => page.evaluate(() => navigator.serviceWorker.controller?.state === 'activated');
      await expect.poll(isInCharge).toBe(true);
      await page.goto(`${front.url}/`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/estante/);
      front.setAway(true);
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/estante/);
      await page.goto(`${front.url}/terms`);
      await expect(page.getByText('Esta página não está guardada neste aparelho')).toBeVisible();
    } finally {
      await front.close();
    }
  });
});
