import type { Page } from '@playwright/test';
import { chooseFromMenu, dialog, linkCard, notice, shelf, signIn } from './support/actions.ts';
import { centreOf, dragOver, pickUpWithMouse, putFinger } from './support/drag.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import type { Account } from './support/open-account.ts';
import { expect, test, WITH_MOVEMENT } from './support/test.ts';

test.use(WITH_MOVEMENT);

/** Folder Estudos with Redes (three links, open on the screen) and Sinais; folder Viagens with Chapada. */
async function openLibrary(page: Page, account: Account) {
  const travels = await fillLibrary(account, { folder: 'Viagens', category: 'Chapada' });
  const studies = await fillLibrary(account, {
    folder: 'Estudos',
    category: 'Redes',
    links: ['Roteador', 'Cabo', 'Comutador'],
  });
  await account.insert('categories', [{ name: 'Sinais', folder_id: studies.folderId, user_id: account.id }]);
  await signIn(page, account, `/category/${studies.categoryId}`);
  await expect(linkCard(page, 'Roteador')).toBeVisible();
  return { travels, studies };
}

const links = (page: Page) => page.getByRole('article');

/** Expects how many links a category's row says it has. After a reload the counts come after the links. */
const expectCount = (page: Page, name: string, count: string) =>
  expect(shelf(page, name)).toHaveAttribute('aria-description', count);

test.describe('Quem muda links de lugar', () => {
  test('arrasta um link para outra categoria, e pode desfazer', async ({ page, account }) => {
    await openLibrary(page, account);
    await pickUpWithMouse(page, linkCard(page, 'Cabo').getByRole('link'));
    await dragOver(page, shelf(page, 'Sinais'));
    await page.mouse.up();
    await expect(notice(page, 'Link movido para Sinais')).toBeVisible();
    await expect(linkCard(page, 'Cabo')).toHaveCount(0);
    await expectCount(page, 'Sinais', '1 link');
    await expectCount(page, 'Redes', '2 links');

    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(notice(page, 'Link de volta em Redes')).toBeVisible();
    await expect(linkCard(page, 'Cabo')).toBeVisible();
    await page.reload();
    await expect(links(page)).toHaveCount(3);
    await expectCount(page, 'Sinais', '0 links');
  });

  test('arrasta vários de uma vez; parar sobre uma pasta fechada abre a pasta', async ({ page, account }) => {
    await openLibrary(page, account);
    await page.getByRole('button', { name: 'Selecionar', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Roteador' }).click();
    await page.getByRole('checkbox', { name: 'Comutador' }).click();
    await pickUpWithMouse(page, page.getByRole('checkbox', { name: 'Roteador' }));
    await dragOver(page, shelf(page, 'Viagens'));
    await expect(shelf(page, 'Chapada')).toBeVisible();
    await dragOver(page, shelf(page, 'Chapada'));
    await page.mouse.up();
    await expect(notice(page, '2 links movidos para Chapada')).toBeVisible();
    await expect(links(page)).toHaveCount(1);
    await expect(page.getByRole('toolbar', { name: 'Seleção' })).toBeHidden();
    // The folder of the category on the screen is the open one again.
    await expect(shelf(page, 'Viagens')).toHaveAttribute('aria-expanded', 'false');
    await expect(shelf(page, 'Estudos')).toHaveAttribute('aria-expanded', 'true');
    await shelf(page, 'Viagens').click();
    await shelf(page, 'Chapada').click();
    await expect(links(page)).toHaveCount(2);
  });

  test('desiste com Esc ou solta onde o link já está, e nada muda', async ({ page, account }) => {
    await openLibrary(page, account);
    await pickUpWithMouse(page, linkCard(page, 'Cabo').getByRole('link'));
    await dragOver(page, shelf(page, 'Redes'));
    await page.mouse.up();
    await pickUpWithMouse(page, linkCard(page, 'Cabo').getByRole('link'));
    await dragOver(page, shelf(page, 'Sinais'));
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(links(page)).toHaveCount(3);
    await expectCount(page, 'Sinais', '0 links');
  });

  test('só com o teclado: m abre a lista, que se filtra sem acentos', async ({ page, account }) => {
    await openLibrary(page, account);
    await linkCard(page, 'Cabo').getByRole('link').focus();
    await page.keyboard.press('m');
    const form = dialog(page, 'Mover link');
    await expect(form.getByRole('option', { name: 'Redes' })).toHaveAttribute('aria-disabled', 'true');
    await expect(form.getByRole('combobox')).toBeFocused();
    await page.keyboard.type('CHÁPada');
    await expect(form.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Link movido para Chapada')).toBeVisible();
    await expect(links(page)).toHaveCount(2);
  });

  test('move a seleção pela barra; o último destino vem primeiro da próxima vez', async ({
    page,
    account,
  }) => {
    await openLibrary(page, account);
    await page.getByRole('button', { name: 'Selecionar', exact: true }).click();
    await page.getByRole('button', { name: 'Selecionar todos' }).click();
    await page.getByRole('button', { name: 'Mover (3)' }).click();
    await dialog(page, 'Mover 3 links').getByRole('option', { name: 'Chapada' }).click();
    await expect(notice(page, '3 links movidos para Chapada')).toBeVisible();
    await expect(page.getByText('Nenhum link encontrado nesta categoria')).toBeVisible();

    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(links(page)).toHaveCount(3);
    await chooseFromMenu(page, linkCard(page, 'Cabo'), 'Mover');
    const form = dialog(page, 'Mover link');
    await expect(form.getByRole('option').first()).toContainText('Chapada');
    await expect(form.getByRole('combobox')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(notice(page, 'Link movido para Chapada')).toBeVisible();
  });

  test('arrasta uma categoria para outra pasta; a categoria aberta continua aberta', async ({
    page,
    account,
  }) => {
    const { studies } = await openLibrary(page, account);
    await pickUpWithMouse(page, shelf(page, 'Redes').getByRole('link', { includeHidden: true }));
    await dragOver(page, shelf(page, 'Viagens'));
    await page.mouse.up();
    await expect(notice(page, 'Categoria movida para Viagens')).toBeVisible();
    await expect(shelf(page, 'Viagens')).toHaveAttribute('aria-expanded', 'true');
    await expect(shelf(page, 'Estudos')).toHaveAttribute('aria-expanded', 'false');
    await expect(page).toHaveURL(new RegExp(studies.categoryId));
    await expectCount(page, 'Redes', '3 links');
    await page.reload();
    await expect(shelf(page, 'Redes')).toBeVisible();
    await expect(shelf(page, 'Viagens')).toHaveAttribute('aria-expanded', 'true');
  });

  test('com a barra lateral recolhida, solta o link na lista que aparece ao lado', async ({
    page,
    account,
  }) => {
    await openLibrary(page, account);
    await page.keyboard.press('Control+b');
    await expect(shelf(page, 'Sinais')).toHaveCount(0);
    await pickUpWithMouse(page, linkCard(page, 'Cabo').getByRole('link'));
    const tray = page.getByRole('region', { name: 'Mover para uma categoria' });
    await dragOver(page, tray.getByText('Chapada'));
    await page.mouse.up();
    await expect(notice(page, 'Link movido para Chapada')).toBeVisible();
    await expect(tray).toBeHidden();
    await expect(links(page)).toHaveCount(2);
  });

  test('move uma categoria pelo menu da linha, e pode desfazer', async ({ page, account }) => {
    await openLibrary(page, account);
    await chooseFromMenu(page, shelf(page, 'Sinais'), 'Mover');
    const form = dialog(page, 'Mover categoria');
    await expect(form.getByRole('option', { name: 'Estudos' })).toHaveAttribute('aria-disabled', 'true');
    await form.getByRole('option', { name: 'Viagens' }).click();
    await expect(notice(page, 'Categoria movida para Viagens')).toBeVisible();
    await expect(shelf(page, 'Sinais')).toBeVisible();
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(notice(page, 'Categoria de volta em Estudos')).toBeVisible();
    await expect(shelf(page, 'Estudos')).toHaveAttribute('aria-expanded', 'true');
    await expect(shelf(page, 'Sinais')).toBeVisible();
  });
});

test.describe('No celular', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('segura um link com o dedo e solta em uma categoria', async ({ page, account }) => {
    await openLibrary(page, account);
    const finger = await putFinger(page, await centreOf(linkCard(page, 'Cabo')));
    const tray = page.getByRole('region', { name: 'Mover para uma categoria' });
    await expect(tray).toBeVisible();
    await finger.moveTo(await centreOf(tray.getByText('Chapada')));
    await finger.lift();
    await expect(notice(page, 'Link movido para Chapada')).toBeVisible();
    await expect(links(page)).toHaveCount(2);
    await expect(tray).toBeHidden();
    expect(page.context().pages()).toHaveLength(1);
  });

  test('segura uma categoria na navegação e solta em outra pasta', async ({ page, account }) => {
    await openLibrary(page, account);
    await page.getByRole('button', { name: 'Abrir navegação' }).tap();
    await expect(shelf(page, 'Sinais')).toBeVisible();
    const finger = await putFinger(page, await centreOf(shelf(page, 'Sinais')));
    await expect(page.locator('[data-drag-ghost]')).toHaveText('Sinais');
    await finger.moveTo(await centreOf(shelf(page, 'Viagens')));
    await finger.lift();
    await expect(notice(page, 'Categoria movida para Viagens')).toBeVisible();
    await expect(shelf(page, 'Viagens')).toHaveAttribute('aria-expanded', 'true');
    // The press that ends the drag opens nothing.
    await expect(page.getByRole('heading', { name: 'Redes', includeHidden: true })).toHaveCount(1);
  });

  test('rola a lista com o dedo sem levar nada', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, {
      links: Array.from({ length: 20 }, (_, index) => `Artigo ${index + 1}`),
    });
    await signIn(page, account, `/category/${categoryId}`);
    const card = links(page).nth(2);
    await expect(card).toBeVisible();
    const { x, y } = await centreOf(card);
    const finger = await putFinger(page, { x, y }, { x, y: y - 30 });
    await finger.moveTo({ x, y: y - 240 });
    await expect
      .poll(() => page.locator('#page').evaluate((element) => element.scrollTop))
      .toBeGreaterThan(100);
    await finger.lift();
    await expect(page.getByRole('region', { name: 'Mover para uma categoria' })).toHaveCount(0);
  });
});

for (const [name, viewport] of [
  ['na mesa', { width: 1280, height: 800 }],
  ['no telefone', { width: 390, height: 844 }],
] as const) {
  test.describe(`Quem precisa de boa leitura (${name})`, () => {
    test.use({ viewport });

    test('escolhe para onde mover sem barreiras', async ({ page, account }) => {
      await openLibrary(page, account);
      await chooseFromMenu(page, linkCard(page, 'Cabo'), 'Mover');
      const form = dialog(page, 'Mover link');
      await expect(form.getByRole('combobox')).toBeFocused();
      for (const term of ['', 'nada com este nome']) {
        await form.getByRole('combobox').fill(term);
        await expectNoBarrier(page, THEMES);
      }
      await page.keyboard.press('Escape');
      await expect(form).toBeHidden();
      await expect(linkCard(page, 'Cabo').getByRole('button', { name: /^Ações/ })).toBeFocused();
    });
  });
}
