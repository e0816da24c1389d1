import type { Page } from '@playwright/test';
import { dialog, notice, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { type Account, openAccount } from './support/open-account.ts';
import type { RunningServer } from './support/run-server.ts';
import { stopIntervals } from './support/stop-intervals.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

/** 'Dona Clara' publishes a category with one old link and 50 newer ones: two pages. */
async function publish(server: RunningServer) {
  const owner = await openAccount(server, 'Dona Clara');
  await subscribe(server, owner, 'plus');
  const { categoryId } = await fillLibrary(owner, { category: 'Leituras de verão', links: ['Livro antigo'] });
  await owner.insert(
    'links',
    Array.from({ length: 50 }, (_, index) => ({
      title: `Livro ${index + 1}`,
      url: `https://example.com/livro-${index + 1}`,
      category_id: categoryId,
      user_id: owner.id,
    })),
  );
  await save(server, owner, categoryId, true);
  return { owner, categoryId, path: `/shared/${categoryId}` };
}

async function call(
  { url }: RunningServer,
  { session }: Account,
  method: string,
  path: string,
  body: object,
) {
  const { supabaseAnonKey } = (await (await fetch(`${url}/config.json`)).json()) as {
    supabaseAnonKey: string;
  };
  const { access_token } = session as { access_token: string };
  const response = await fetch(`${url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: supabaseAnonKey,
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

const save = (server: RunningServer, owner: Account, categoryId: string, isPublic: boolean) =>
  call(server, owner, 'POST', 'rpc/save_sharing', {
    category_id: categoryId,
    is_public: isPublic,
    emails: [],
  });

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Leituras de verão' });

test.describe('Quem recebe o endereço de uma categoria pública', () => {
  test('lê tudo sem JavaScript: cartões ou lista, e as páginas seguintes', async ({ browser, server }) => {
    const { path } = await publish(server);
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
    const page = await context.newPage();
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    await expect(page).toHaveTitle('Leituras de verão · Linkoteca');
    await expect(page.getByText('Compartilhado por: Dona Clara')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Criar Conta', exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Lista' }).click();
    await expect(page).toHaveURL(/\/shared\/leituras-de-verao-[\w-]{22}\?view=list$/);
    await expect(page.getByRole('listitem').filter({ hasText: 'Livro' })).toHaveCount(50);
    await page.getByRole('link', { name: 'Mais links' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Livro' })).toHaveText([/Livro antigo/]);
    await page.getByRole('link', { name: 'Voltar ao começo' }).click();
    await expect(page).toHaveURL(/view=list$/);
    await context.close();
  });

  test('recebe pouco script, e nenhuma barreira', async ({ page, server }) => {
    const { path } = await publish(server);
    const scripts: string[] = [];
    page.on('response', (response) => {
      if (/javascript/.test(response.headers()['content-type'] ?? '')) scripts.push(response.url());
    });
    await page.goto(path);
    await expect(heading(page)).toBeVisible();
    const inline = await page.evaluate(() =>
      [...document.scripts].reduce((sum, { textContent }) => sum + (textContent ?? '').length, 0),
    );
    expect([scripts, inline < 30_000]).toEqual([[], true]);
    await expectNoBarrier(page, THEMES);
    await page.goto(`${path}?view=list`);
    await expectNoBarrier(page);
  });

  test('filtra e ordena todos os links, também os que a página ainda não tinha', async ({ page, server }) => {
    const { path } = await publish(server);
    await page.goto(path);
    await expect(heading(page)).toBeVisible();
    await page.keyboard.press('f');
    await expect(page.getByLabel('Filtrar os links desta categoria')).toBeFocused();
    await expect(page).toHaveURL(/\/shared\/[^?]+$/);
    await page.keyboard.type('ANTIGO');
    const shown = page.getByRole('list', { name: 'Links' }).getByRole('link');
    await expect(shown).toHaveText(['Livro antigo']);
    await expectNoBarrier(page, THEMES);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Ordem: Mais novos' }).click();
    await page.getByRole('menuitem', { name: 'Título, A–Z' }).click();
    await expect(shown.first()).toHaveText('Livro 1');
  });

  test('vê a mudança na hora, e também que já não é pública', async ({ page, server }) => {
    const { owner, categoryId, path } = await publish(server);
    // The look every 3 s would tell it too.
    await stopIntervals(page);
    const joined = page
      .waitForEvent('websocket')
      .then((socket) =>
        socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"status":"ok"')),
      );
    await page.goto(path);
    await expect(heading(page)).toBeVisible();
    await joined;
    await call(server, owner, 'PATCH', `categories?id=eq.${categoryId}`, { name: 'Leituras de inverno' });
    await expect(page.getByRole('heading', { level: 1, name: 'Leituras de inverno' })).toBeVisible();
    const leaving = page.waitForURL(/app=1&revoked=1|\/$/, { waitUntil: 'commit' });
    await save(server, owner, categoryId, false);
    const start = Date.now();
    await leaving;
    expect(Date.now() - start).toBeLessThan(10_000);
    await expect(page.getByText('Leituras de inverno')).toHaveCount(0);
  });
});

test('Sem conexão ao vivo, quem lê uma categoria pública sai dela em poucos segundos', async ({
  page,
  server,
}) => {
  const { owner, categoryId, path } = await publish(server);
  await page.routeWebSocket(/realtime/, (socket) => socket.close());
  await page.goto(path);
  await expect(heading(page)).toBeVisible();
  await save(server, owner, categoryId, false);
  await page.waitForURL(/app=1&revoked=1|\/$/, { waitUntil: 'commit', timeout: 20_000 });
});

test('Quem publica a página de uma pasta passa um só endereço, que abre sem conta e sem JavaScript, e a retira', async ({
  page,
  browser,
  server,
}) => {
  const owner = await openAccount(server, 'Dona Clara');
  await subscribe(server, owner, 'plus');
  const { categoryId } = await fillLibrary(owner, {
    folder: 'Clube do livro',
    category: 'Leituras de verão',
    links: ['Livro'],
  });
  await save(server, owner, categoryId, true);
  await signIn(page, owner);
  await shelf(page, 'Clube do livro').hover();
  await page.getByRole('button', { name: 'Ações da pasta Clube do livro' }).click();
  await page.getByRole('menuitem', { name: 'Compartilhar pasta…' }).click();
  const people = dialog(page, 'Compartilhar pasta');
  await people.getByRole('switch', { name: 'Página pública da pasta' }).click();
  await expect(notice(page, 'Página da pasta publicada')).toBeVisible();
  await expectNoBarrier(page, THEMES);
  const address = (await people.getByRole('link', { name: /clube-do-livro/ }).getAttribute('href')) ?? '';

  const context = await browser.newContext({ javaScriptEnabled: false });
  const visitor = await context.newPage();
  expect((await visitor.goto(address))?.status()).toBe(200);
  await expect(visitor.getByRole('heading', { level: 1, name: 'Clube do livro' })).toBeVisible();
  await visitor.getByRole('link', { name: 'Leituras de verão' }).click();
  await expect(heading(visitor)).toBeVisible();
  await expect(visitor.getByText('Compartilhado por: Dona Clara')).toBeVisible();
  // Where the app is installed, too, which answers other addresses by itself.
  const own = await page.context().newPage();
  await own.goto(address);
  await expect(own.getByRole('heading', { level: 1, name: 'Clube do livro' })).toBeVisible();
  await expectNoBarrier(own, THEMES);
  await own.close();

  await people.getByRole('switch', { name: 'Página pública da pasta' }).click();
  await expect(notice(page, 'Página da pasta retirada')).toBeVisible();
  expect((await visitor.goto(address))?.status()).toBe(404);
  await context.close();
  await page.goto(address);
  await expect(page.getByText('Página não encontrada')).toBeVisible();
});
