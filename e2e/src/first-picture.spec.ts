import type { Locator } from '@playwright/test';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

const titles = ['Antena', 'Banco', 'Cabo', 'Dado', 'Elo', 'Fio', 'Grade', 'Hub'];

/** Where the name and the cards stand, rounded to whole pixels. */
async function listPlaces(place: Locator): Promise<readonly string[]> {
  return place.evaluate((element) =>
    [...element.querySelectorAll('article, h1')].flatMap((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      const name = each.querySelector('a')?.textContent ?? each.textContent;
      return width === 0
        ? []
        : [
            [name, x, y, width, height]
              .map((value) => (typeof value === 'number' ? Math.round(value) : value))
              .join(' '),
          ];
    }),
  );
}

for (const width of [1280, 820, 390]) {
  test(`Quem abre uma categoria vê os links antes do aplicativo, onde ele os põe (${width} px)`, async ({
    page,
    account,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const { categoryId } = await fillLibrary(account, { links: titles });
    await page.addInitScript((saved) => {
      const [label] = location.hostname.split('.');
      localStorage.setItem(`sb-${label}-auth-token`, saved);
    }, JSON.stringify(account.session));
    // The app's own code comes when the picture has been looked at.
    const looked = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await looked.promise;
      await route.continue();
    });
    await page.goto(`/category/${categoryId}`, { waitUntil: 'commit' });
    const picture = page.locator('#first-picture [data-page="/category/"]');
    await expect(picture.getByRole('link', { name: 'Hub' })).toBeVisible();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const before = await listPlaces(picture);
    looked.resolve();
    await expect(page.locator('#first-picture')).toHaveCount(0);
    await expect(page.getByLabel('Filtrar os links desta categoria')).toBeVisible();
    const after = await listPlaces(page.locator('main'));
    expect(before.length).toBeGreaterThan(5);
    expect(after).toEqual(expect.arrayContaining([...before]));
  });
}

test('Quem aperta um botão antes do aplicativo chegar é atendido quando ele chega', async ({
  page,
  account,
}) => {
  const { categoryId } = await fillLibrary(account, { links: titles });
  await page.addInitScript((saved) => {
    const [label] = location.hostname.split('.');
    localStorage.setItem(`sb-${label}-auth-token`, saved);
  }, JSON.stringify(account.session));
  const pressed = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.goto(`/category/${categoryId}`, { waitUntil: 'commit' });
  await page.locator('#first-picture').getByRole('button', { name: 'Adicionar Link' }).click();
  pressed.resolve();
  await expect(page.getByRole('dialog').getByLabel('URL')).toBeVisible();
});
