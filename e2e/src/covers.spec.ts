import type { Locator, Page } from '@playwright/test';
import { chooseFromMenu, linkCard, notice, signIn } from './support/actions.ts';
import { drawPageImages } from './support/draw-page-images.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { findSmallTargets } from './support/find-small-targets.ts';
import type { Account } from './support/open-account.ts';
import type { RunningServer } from './support/run-server.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

const WIDE = { width: 1200, height: 630, rgb: [196, 92, 60] };
const LOGO = { width: 400, height: 400, rgb: [60, 92, 196] };
/** 'Pão' has no image of its own. */
const PAGES = { 'https://example.com/pagina-1': WIDE, 'https://example.com/pagina-2': LOGO };
const LINKS = ['Bolo', 'Torta', 'Pão'];

const covers = (page: Page): Locator => page.getByRole('list', { name: 'Links' }).locator('article img');
const choose = (page: Page, view: string) => page.getByRole('button', { name: view, exact: true }).click();
/** The image is there, and as large as it was kept. */
const sizesOf = (images: Locator) =>
  images.evaluateAll((all) =>
    all.map((image) => {
      const { naturalWidth, naturalHeight } = image as HTMLImageElement;
      return `${naturalWidth}x${naturalHeight}`;
    }),
  );

/** As the sharing dialog does. @returns the visitor's key. */
async function publish(server: RunningServer, owner: Account, categoryId: string, isPublic: boolean) {
  const config = await fetch(`${server.url}/config.json`);
  const { supabaseAnonKey } = (await config.json()) as { supabaseAnonKey: string };
  const response = await fetch(`${server.url}/rest/v1/rpc/save_sharing`, {
    method: 'POST',
    headers: {
      apikey: supabaseAnonKey,
      authorization: `Bearer ${(owner.session as { access_token: string }).access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ category_id: categoryId, is_public: isPublic, emails: [] }),
  });
  expect(response.status).toBe(200);
  return supabaseAnonKey;
}

test.describe('Quem prefere ver capas', () => {
  test('escolhe a visualização uma vez; as capas ficam guardadas e nenhuma página é lida de novo', async ({
    page,
    account,
  }) => {
    const { categoryId } = await fillLibrary(account, { links: LINKS });
    const asked = await drawPageImages(page, PAGES);
    await signIn(page, account, `/category/${categoryId}`);
    await expect(linkCard(page, 'Bolo')).toBeVisible();
    expect(asked).toEqual([]);
    await choose(page, 'Capas');
    await expect.poll(async () => (await sizesOf(covers(page))).toSorted()).toEqual(['270x270', '480x270']);
    await expect.poll(() => asked.length).toBe(3);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Capas', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(covers(page)).toHaveCount(2);
    await expect.poll(async () => (await sizesOf(covers(page))).toSorted()).toEqual(['270x270', '480x270']);
    expect(asked).toHaveLength(3);
  });

  test('nada pula quando as imagens chegam, e no telefone cabem duas lado a lado', async ({
    page,
    account,
  }) => {
    const { categoryId } = await fillLibrary(account, { links: LINKS });
    await drawPageImages(page, PAGES);
    const held = Promise.withResolvers<void>();
    await page.route('**/functions/v1/link-cover', async (route) => {
      await held.promise;
      await route.fallback();
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page, account, `/category/${categoryId}`);
    await choose(page, 'Capas');
    const boxes = () => Promise.all(LINKS.map((title) => linkCard(page, title).boundingBox()));
    await expect(linkCard(page, 'Pão').locator('[data-letter]')).toBeVisible();
    const empty = await boxes();
    expect(new Set(empty.map((box) => box?.x)).size).toBe(2);
    held.resolve();
    await expect(covers(page)).toHaveCount(2);
    expect(await boxes()).toEqual(empty);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  test('tira uma capa pelo menu do link, e volta atrás', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: LINKS });
    await drawPageImages(page, PAGES);
    await signIn(page, account, `/category/${categoryId}`);
    await choose(page, 'Capas');
    await expect(covers(page)).toHaveCount(2);
    await chooseFromMenu(page, linkCard(page, 'Bolo'), 'Tirar capa');
    await expect(covers(page)).toHaveCount(1);
    await expect(notice(page, 'Capa tirada')).toBeVisible();
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(covers(page)).toHaveCount(2);
  });

  test('não encontra barreiras, com ou sem seleção', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: LINKS });
    await drawPageImages(page, PAGES);
    await signIn(page, account, `/category/${categoryId}`);
    await choose(page, 'Capas');
    await expect(covers(page)).toHaveCount(2);
    await expectNoBarrier(page, THEMES);
    await page.getByRole('button', { name: 'Selecionar' }).click();
    await linkCard(page, 'Torta').click();
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1);
    await expectNoBarrier(page, THEMES);
    expect(await findSmallTargets(page, 32)).toEqual([]);
  });
});

test('Quem abre uma categoria pública vê as capas dela, e só enquanto ela é pública', async ({
  page,
  account,
  server,
  openElsewhere,
}) => {
  await subscribe(server, account, 'plus');
  const { categoryId } = await fillLibrary(account, { links: LINKS });
  await drawPageImages(page, PAGES);
  await signIn(page, account, `/category/${categoryId}`);
  await choose(page, 'Capas');
  await expect(covers(page)).toHaveCount(2);
  await publish(server, account, categoryId, true);

  const visitor = await openElsewhere();
  const asked = await drawPageImages(visitor, PAGES);
  const files: string[] = [];
  visitor.on('request', (request) => {
    if (request.url().includes('/storage/v1/object/')) files.push(request.url());
  });
  await visitor.goto(`/shared/${categoryId}?app=1`);
  await choose(visitor, 'Capas');
  await expect(covers(visitor)).toHaveCount(2);
  expect(asked).toEqual([]);

  const supabaseAnonKey = await publish(server, account, categoryId, false);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const { status } = await fetch(file, { headers: { authorization: `Bearer ${supabaseAnonKey}` } });
    expect(status).toBe(400);
  }
});
