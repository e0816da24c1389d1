import type { Page } from '@playwright/test';
import { linkCard, notice, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

const inboxEntry = (page: Page, name: string) =>
  page.getByRole('complementary', { name: 'Navegação' }).getByRole('link', { name, exact: true });
const card = (page: Page, title: string) => page.getByRole('article').getByRole('link', { name: title });

/** As in the window of the installed app, which no browser without a window has. */
async function actInstalled(page: Page) {
  await page.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) =>
      matchMedia.call(window, query === '(display-mode: standalone)' ? 'all' : query);
  });
}

test.describe('Salvar de qualquer lugar', () => {
  test('o que o celular compartilha já está na Entrada, e uma tecla põe cada link no lugar', async ({
    page,
    account,
  }) => {
    await fillLibrary(account, { category: 'Padarias', links: ['Broa'] });
    await signIn(page, account);
    await actInstalled(page);
    await page.goto(
      `/share-target?${new URLSearchParams({ title: 'Pão de queijo', text: 'https://example.com/pao' })}`,
    );
    await expect(notice(page, 'Salvo')).toBeVisible();
    await expect(inboxEntry(page, 'Entrada, 1 link')).toBeVisible();
    await page.goto(
      `/share-target?${new URLSearchParams({ text: 'https://example.com/um\nhttps://example.com/dois' })}`,
    );
    await expect(notice(page, '2 links salvos')).toBeVisible();
    await page.getByRole('button', { name: 'Organizar' }).click();
    await expect(page.getByText('3 links para organizar')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Padarias/ })).toBeVisible();
    await expectNoBarrier(page, THEMES);

    await page.keyboard.press('p');
    await page.keyboard.press('p');
    await expect(card(page, 'Pão de queijo')).toBeVisible();
    await page.keyboard.press('1');
    await expect(page.getByText('2 links para organizar')).toBeVisible();
    await expect(inboxEntry(page, 'Entrada, 2 links')).toBeVisible();
    await page.keyboard.press('d');
    await expect(page.getByText('1 link para organizar')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(page.getByText('2 links para organizar')).toBeVisible();
    await shelf(page, 'Estudos').click();
    await shelf(page, 'Padarias').click();
    await expect(linkCard(page, 'Pão de queijo')).toBeVisible();
  });

  test('o botão dos favoritos salva qualquer página em uma janela que fecha sozinha, também onde a página proíbe tudo', async ({
    page,
    account,
    context,
    openElsewhere,
  }) => {
    await signIn(page, account, '/salvar-de-qualquer-lugar');
    const button = page.getByRole('link', { name: 'Salvar na Linkoteca' });
    await expectNoBarrier(page, THEMES);
    const address = (await button.getAttribute('href')) ?? '';
    const code = decodeURIComponent(address.replace('javascript:', ''));
    await context.route('https://estrita.example/', (route) =>
      route.fulfill({
        headers: {
          'content-security-policy':
            "default-src 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox",
        },
        contentType: 'text/html; charset=utf-8',
        body: '<title>Página <b>estrita</b> & séria</title><p>Nada pode aqui.</p>',
      }),
    );
    await page.goto('https://estrita.example/');
    const opening = context.waitForEvent('page');
    await page.evaluate(code);
    const small = await opening;
    await expect(small.getByRole('textbox', { name: 'Título' })).toHaveValue('Página <b>estrita</b> & séria');
    await expectNoBarrier(small, THEMES);
    const closed = small.waitForEvent('close');
    await small.getByRole('button', { name: 'Salvar' }).click();
    await expect(small.getByText('Salvo', { exact: true })).toBeVisible();
    await closed;

    const other = await openElsewhere();
    await signIn(other, account, '/entrada');
    await expect(card(other, 'Página <b>estrita</b> & séria')).toBeVisible();
  });

  test('uma página alheia que abre a janela não salva nada, e não a põe dentro de si', async ({
    page,
    account,
    request,
  }) => {
    await signIn(page, account);
    await page.goto('/share-target?url=https://mau.example/');
    await expect(page.getByRole('dialog', { name: 'Adicionar Link' })).toBeVisible();
    await page.goto('/salvar?url=https://mau.example/&title=Isca');
    await expect(page.getByRole('button', { name: 'Salvar' })).toBeEnabled();
    await page.goto('/salvar?url=javascript:alert(1)&title=Isca');
    await expect(page.getByText('Nenhum endereço para salvar')).toBeVisible();
    await page.goto('/entrada');
    await expect(page.getByText('Tudo no lugar')).toBeVisible();
    const { 'content-security-policy': policy, 'x-frame-options': framing } = (
      await request.get('/salvar?url=https://mau.example/')
    ).headers();
    expect(policy).toContain("frame-ancestors 'none'");
    expect(framing).toBe('DENY');
  });
});

test.describe('No celular', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a Entrada se arruma com o dedo', async ({ page, account }) => {
    await fillLibrary(account, { category: 'Padarias', links: ['Broa'] });
    await signIn(page, account);
    await actInstalled(page);
    await page.goto(`/share-target?${new URLSearchParams({ title: 'Pão', url: 'https://example.com/pao' })}`);
    await page.getByRole('button', { name: 'Organizar' }).tap();
    await page.getByRole('button', { name: /^Padarias/ }).tap();
    await expect(page.getByText('Tudo no lugar')).toBeVisible();
    await expectNoBarrier(page, THEMES);
  });
});
