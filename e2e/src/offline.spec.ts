import type { Locator, Page } from '@playwright/test';
import {
  createFolder,
  dialog,
  fillLogin,
  linkCard,
  newFolderButton,
  notice,
  paste,
  shelf,
  signIn,
  signOut,
} from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { type Front, openFront } from './support/open-front.ts';
import { test as base, expect } from './support/test.ts';

const MARK = 'Sem conexão: você está vendo a última versão guardada neste aparelho';
const REFUSED = 'Sem conexão. Tente de novo quando voltar.';

/** A proxy stands before the server; everything else is as in the other tests, but the network may break here. */
const test = base.extend<{ front: Front }>({
  front: async ({ server }, use) => {
    const front = await openFront(server.url);
    await use(front);
    await front.close();
  },
  baseURL: async ({ front }, use) => use(front.url),
  quietPage: async ({ context }, use) => {
    const broken: string[] = [];
    context.on('weberror', (error) => broken.push(String(error.error())));
    await use(undefined);
    expect(broken).toEqual([]);
  },
  serviceWorkers: 'allow',
});

const offer = (page: Page) => page.getByRole('region', { name: 'Nova versão disponível' });

/** The worker is in charge and has stored all that a start needs. */
async function untilInstalled(page: Page) {
  const isInstalled = async () => {
    const settings = await caches.match('/config.json', { cacheName: 'linkoteca-config' });
    return settings !== undefined && navigator.serviceWorker.controller?.state === 'activated';
  };
  await expect.poll(() => page.evaluate(isInstalled)).toBe(true);
}

/** Whether the device keeps each of these reads for offline, by the first word of its key. */
const keeps = (page: Page, reads: readonly string[]) =>
  page.evaluate(async (wanted) => {
    const known = (await indexedDB.databases()).some(({ name }) => name === 'linkoteca-last-seen');
    if (!known) return false;
    return new Promise<boolean>((resolve, reject) => {
      const opening = indexedDB.open('linkoteca-last-seen');
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const listing = opening.result.transaction('records').objectStore('records').getAllKeys();
        listing.onsuccess = () => {
          opening.result.close();
          const hashes = listing.result.map((key) => (Array.isArray(key) ? String(key[1]) : ''));
          resolve(wanted.every((read) => hashes.some((hash) => hash.startsWith(`["${read}"`))));
        };
      };
    });
  }, reads);

/** How many records the device keeps for offline. */
const countKept = (page: Page) =>
  page.evaluate(async () => {
    // Opening it would make it, without the place for records.
    const known = (await indexedDB.databases()).some(({ name }) => name === 'linkoteca-last-seen');
    if (!known) return 0;
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('linkoteca-last-seen');
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const counting = opening.result.transaction('records').objectStore('records').count();
        counting.onsuccess = () => {
          opening.result.close();
          resolve(counting.result);
        };
      };
    });
  });

/** Leaving the tab writes at once what was seen. */
async function leaveTab(page: Page) {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

test.describe('Sem conexão', () => {
  test('o app abre com a última versão guardada, diz isso, explica o que não dá e volta sozinho', async ({
    page,
    account,
    front,
  }) => {
    await fillLibrary(account, { links: ['Relatividade', 'Termodinâmica'] });
    await signIn(page, account);
    await untilInstalled(page);
    await shelf(page, 'Estudos').click();
    await shelf(page, 'Física').click();
    await expect(linkCard(page, 'Relatividade')).toBeVisible();
    await leaveTab(page);
    await expect.poll(() => keeps(page, ['folders', 'categories', 'links', 'library-counts'])).toBe(true);

    front.setAway(true);
    await page.goto('/dashboard');
    await expect(page.getByText(MARK)).toBeVisible();
    await shelf(page, 'Estudos').click();
    await shelf(page, 'Física').click();
    await expect(linkCard(page, 'Termodinâmica')).toBeVisible();

    await newFolderButton(page).click();
    const form = dialog(page, 'Nova Pasta');
    await form.getByLabel('Nome da Pasta').fill('Viagens');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, REFUSED)).toBeVisible();
    await expect(form.getByLabel('Nome da Pasta')).toHaveValue('Viagens');
    await expect(shelf(page, 'Viagens')).toHaveCount(0);

    front.setAway(false);
    await expect(page.getByText(MARK)).toBeHidden();
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(shelf(page, 'Viagens')).toBeVisible();
  });

  test('uma sessão vencida não expulsa ninguém: ela é renovada quando a conexão volta', async ({
    page,
    account,
    front,
  }) => {
    await fillLibrary(account);
    await signIn(page, account);
    await untilInstalled(page);
    await leaveTab(page);
    await expect.poll(() => keeps(page, ['folders', 'categories'])).toBe(true);
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage).filter((name) => name.endsWith('-auth-token'))) {
        const session = JSON.parse(localStorage.getItem(key) ?? '{}');
        localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1_700_000_000 }));
      }
    });

    front.setAway(true);
    await page.goto('/dashboard');
    await expect(page.getByText(MARK)).toBeVisible();
    await expect(shelf(page, 'Estudos')).toBeVisible();

    front.setAway(false);
    await expect(page.getByText(MARK)).toBeHidden();
    await createFolder(page, 'De volta');
    await expect(shelf(page, 'De volta')).toBeVisible();
  });

  test('o que se salva espera no aparelho, mesmo com a aba fechada, e chega uma vez quando ela volta', async ({
    page,
    context,
    account,
    front,
  }) => {
    await fillLibrary(account, { links: ['Relatividade'] });
    await signIn(page, account);
    await untilInstalled(page);
    await leaveTab(page);
    await expect.poll(() => keeps(page, ['folders', 'categories'])).toBe(true);

    front.setAway(true);
    await page.goto('/dashboard');
    await expect(page.getByText(MARK)).toBeVisible();
    await page.getByRole('button', { name: 'Adicionar Link' }).click();
    const form = dialog(page, 'Adicionar Link');
    await form.getByLabel('URL').fill('https://example.com/ondas');
    await form.getByLabel('Título').fill('Ondas');
    await form.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(notice(page, 'Guardado neste aparelho')).toBeVisible();
    await expect(form).toBeHidden();
    await paste(page, 'Luz - https://example.com/luz\nSom - https://example.com/som');
    await dialog(page, 'Adicionar vários links').getByRole('button', { name: 'Salvar 2 links' }).click();
    await page.getByRole('link', { name: '3 links esperam neste aparelho', exact: true }).click();
    const waiting = page.getByRole('region', { name: 'Esperando para salvar' });
    for (const title of ['Ondas', 'Luz', 'Som']) await expect(waiting).toContainText(title);
    await page.close();

    front.setAway(false);
    const [first, second] = [await context.newPage(), await context.newPage()];
    await Promise.all([first.goto('/dashboard'), second.goto('/dashboard')]);
    await shelf(first, 'Estudos').click();
    await shelf(first, 'Física').click();
    await expect(linkCard(first, 'Ondas')).toHaveCount(1);
    await expect(linkCard(first, 'Luz')).toHaveCount(1);
    await second.goto('/entrada');
    await expect(second.getByText('Tudo no lugar')).toBeVisible();
    await expect(second.getByRole('region', { name: 'Esperando para salvar' })).toHaveCount(0);
    await first.reload();
    await expect(linkCard(first, 'Relatividade')).toHaveCount(1);
    // The list in its own order, above what waited before it.
    for (const [at, title] of ['Luz', 'Som', 'Ondas', 'Relatividade'].entries())
      await expect(first.getByRole('article').nth(at)).toContainText(title);
  });

  test('quem sai não deixa nada para trás neste aparelho', async ({ page, account, front }) => {
    await fillLibrary(account);
    await signIn(page, account);
    await untilInstalled(page);
    await expect.poll(() => countKept(page)).toBeGreaterThanOrEqual(7);
    await signOut(page);
    await expect(page).toHaveURL(/\/login$/);
    await expect.poll(() => countKept(page)).toBe(0);

    front.setAway(true);
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/login/);
    await fillLogin(page, account);
    await expect(
      page.getByText('Sem conexão com a internet. Verifique sua rede e tente de novo.'),
    ).toBeVisible();
  });
});

test.describe('Uma nova versão', () => {
  test('espera até ser aceita, e o que se está digitando continua lá', async ({ page, account, front }) => {
    await signIn(page, account);
    await untilInstalled(page);
    await newFolderButton(page).click();
    await dialog(page, 'Nova Pasta').getByLabel('Nome da Pasta').fill('Rascunho');

    front.change('/sw.js', (script) => `${script}\n// another build`);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    // Behind the form it waits, too.
    await expect(page.getByText('Nova versão disponível')).toBeVisible();
    await expect(dialog(page, 'Nova Pasta').getByLabel('Nome da Pasta')).toHaveValue('Rascunho');
    await dialog(page, 'Nova Pasta').getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(shelf(page, 'Rascunho')).toBeVisible();

    const reloaded = page.waitForEvent('load');
    await offer(page).getByRole('button', { name: 'Atualizar' }).click();
    await reloaded;
    await expect(shelf(page, 'Rascunho')).toBeVisible();
    await expect(offer(page)).toHaveCount(0);
  });

  test('não fica com a página de outra versão, que uma cópia do servidor deu no meio da troca', async ({
    page,
    account,
    front,
  }) => {
    let asked = 0;
    front.change('/index.html', (html) => {
      asked += 1;
      return html.replace(/\/assets\/index-[\w-]+\.js/, '/assets/index-other.js');
    });
    await signIn(page, account);
    await expect.poll(() => asked).toBeGreaterThan(0);
    const isOver = async () => !(await navigator.serviceWorker.getRegistration())?.installing;
    await expect.poll(() => page.evaluate(isOver)).toBe(true);
    // All copies are of one version by now, and the worker is tried again.
    front.change('/index.html', (html) => html);
    await page.reload();
    await untilInstalled(page);
    await page.reload();
    // The first picture has this button, too; only the app opens the form.
    await newFolderButton(page).click();
    await expect(dialog(page, 'Nova Pasta')).toBeVisible();
  });
});

test.describe('Uma nova versão, onde não há service worker', () => {
  test.use({ serviceWorkers: 'block' });

  test('uma parte que já não existe no servidor leva à oferta, não a uma tela quebrada', async ({
    page,
    account,
    front,
  }) => {
    front.lose(/\/assets\/organiser-dialog-host-/);
    front.change('/index.html', (html) =>
      html.replace(/\/assets\/index-[\w-]+\.js/, '/assets/index-other.js'),
    );
    await signIn(page, account);
    await newFolderButton(page).click();
    await expect(offer(page)).toBeVisible();
    await expect(newFolderButton(page)).toBeVisible();
  });

  test.describe('no celular', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

    test('a oferta e a marca de sem conexão não encobrem nada e não criam barreiras', async ({
      page,
      account,
      front,
    }) => {
      const { categoryId } = await fillLibrary(account, { links: ['Gravidade'] });
      front.lose(/\/assets\/organiser-dialog-host-/);
      front.change('/index.html', (html) =>
        html.replace(/\/assets\/index-[\w-]+\.js/, '/assets/index-other.js'),
      );
      await signIn(page, account, `/category/${categoryId}`);
      const add = page.getByRole('button', { name: 'Adicionar Link' });
      await add.click();
      await expect(offer(page)).toBeVisible();
      const endOf = async (part: Locator) => {
        const box = await part.boundingBox();
        return box === null ? Number.NaN : box.y + box.height;
      };
      await expect.poll(() => endOf(offer(page))).toBe(844);
      const top = (await offer(page).boundingBox())?.y ?? Number.NaN;
      for (const needed of [page.locator('#page'), add, page.getByRole('banner')])
        await expect.poll(() => endOf(needed)).toBeLessThanOrEqual(top);
      front.setAway(true);
      await page.evaluate(() => window.dispatchEvent(new Event('offline')));
      await expect(page.getByText(MARK)).toBeVisible();
      await expectNoBarrier(page, THEMES);
    });
  });
});

test.describe('No celular', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('o menu de compartilhar de outro app guarda um link, também para quem precisa entrar antes', async ({
    page,
    account,
  }) => {
    await fillLibrary(account);
    await page.goto(
      `/share-target?${new URLSearchParams({ title: 'Pão de queijo', text: 'Olha: https://example.com/pao?a=1&b=2' })}`,
    );
    await expect(page).toHaveURL(/\/login/);
    await fillLogin(page, account);
    const form = page.getByRole('dialog').filter({ hasText: 'Salvar' });
    await expect(form.getByLabel(/^url/i)).toHaveValue('https://example.com/pao?a=1&b=2');
    await expect(form.getByLabel(/título/i)).toHaveValue('Pão de queijo');
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('o app pode ser instalado', async ({ page, context, account }) => {
    await signIn(page, account);
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // Private windows, which tests use, never install.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });
});
