import type { Page } from '@playwright/test';
import { chooseFromMenu, linkCard, notice, signIn } from './support/actions.ts';
import { centreOf, pickUpWithMouse, putFinger } from './support/drag.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import type { Account } from './support/open-account.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

/** A category of five links, from the newest: Eco, Delta, Centro, Barco, Amora. */
async function openCategory(page: Page, account: Account) {
  const { categoryId } = await fillLibrary(account, {
    category: 'Redes',
    links: ['Amora', 'Barco', 'Centro', 'Delta', 'Eco'],
  });
  await signIn(page, account, `/category/${categoryId}`);
  await expect(linkCard(page, 'Eco')).toBeVisible();
  return categoryId;
}

/** Titles in the order in which they stand. */
const titles = (page: Page) =>
  page.getByRole('list', { name: 'Links' }).getByRole('listitem').getByRole('link');

async function begin(page: Page) {
  await chooseFromMenu(page, linkCard(page, 'Eco'), 'Mudar a ordem');
  await expect(page.getByRole('button', { name: 'Ordem: Minha ordem' })).toBeVisible();
}

/** The corner of a card that others go before, whether cards stand side by side or one below the other. */
async function startOf(page: Page, title: string) {
  const box = await linkCard(page, title).boundingBox();
  if (box === null) throw new Error(`no card ${title}`);
  return { x: box.x + 12, y: box.y + box.height / 4 };
}

test.describe('Quem põe os links em sua ordem', () => {
  test('arrasta um link para outro lugar, desfaz, e a ordem fica, também na página pública', async ({
    page,
    server,
    account,
  }) => {
    await subscribe(server, account, 'plus');
    const categoryId = await openCategory(page, account);
    await begin(page);
    await expect(titles(page)).toHaveText(['Eco', 'Delta', 'Centro', 'Barco', 'Amora']);
    await pickUpWithMouse(page, linkCard(page, 'Amora').getByRole('link'));
    const place = await startOf(page, 'Delta');
    await page.mouse.move(place.x + 4, place.y, { steps: 4 });
    await page.mouse.move(place.x, place.y);
    await expect(page.locator('[data-place-marker]')).toBeVisible();
    await page.mouse.up();
    await expect(notice(page, 'Link mudou de lugar')).toBeVisible();
    await expect(titles(page)).toHaveText(['Eco', 'Amora', 'Delta', 'Centro', 'Barco']);
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(titles(page)).toHaveText(['Eco', 'Delta', 'Centro', 'Barco', 'Amora']);

    await linkCard(page, 'Barco').getByRole('link').focus();
    for (const place of ['3', '2', '1']) {
      await page.keyboard.press('Alt+ArrowUp');
      await expect(page.getByText(`Barco: lugar ${place} de 5`)).toBeAttached();
    }
    await expect(linkCard(page, 'Barco').getByRole('link')).toBeFocused();
    await expectNoBarrier(page, THEMES);

    await page.reload();
    await expect(titles(page)).toHaveText(['Barco', 'Eco', 'Delta', 'Centro', 'Amora']);
    await page.getByRole('button', { name: 'Mais formas de compartilhar' }).click();
    const stored = page.waitForResponse(/save_sharing/);
    await page.getByRole('menuitem', { name: /^Tornar pública/ }).click();
    await stored;
    await page.goto(`/shared/${categoryId}`);
    await expect(page.getByRole('main').getByRole('listitem').getByRole('link')).toHaveText([
      'Barco',
      'Eco',
      'Delta',
      'Centro',
      'Amora',
    ]);
  });

  test.describe('no telefone', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

    test('segura um link e o leva para outro lugar', async ({ page, account }) => {
      await openCategory(page, account);
      await linkCard(page, 'Eco')
        .getByRole('button', { name: /^Ações d/ })
        .click();
      await page.getByRole('menuitem', { name: 'Mudar a ordem' }).click();
      await expect(page.getByRole('button', { name: 'Ordem: Minha ordem' })).toBeVisible();
      const finger = await putFinger(page, await centreOf(linkCard(page, 'Centro')));
      await expect(page.locator('[data-drag-ghost]')).toBeVisible();
      await finger.moveTo(await startOf(page, 'Eco'));
      await expect(page.locator('[data-place-marker]')).toBeVisible();
      await finger.lift();
      await expect(titles(page)).toHaveText(['Centro', 'Eco', 'Delta', 'Barco', 'Amora']);
    });
  });
});
