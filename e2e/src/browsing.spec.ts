import { linkCard, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { expect, test } from './support/test.ts';

const titles = ['Antena', 'Banco', 'Cabo', 'Dado', 'Elo', 'Fio', 'Grade', 'Hub'];

test.describe('Quem percorre os links com o teclado', () => {
  test('anda nas duas direções, marca um trecho e ouve quantos são', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles.toReversed() });
    await signIn(page, account, `/category/${categoryId}`);
    const link = (title: string) => page.getByRole('link', { name: title, exact: true });
    await link('Antena').focus();
    await page.keyboard.press('ArrowRight');
    await expect(link('Banco')).toBeFocused();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect(link('Elo')).toBeFocused();
    await page.keyboard.press('g');
    await expect(link('Grade')).toBeFocused();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(3);
    await expect(page.getByText('3 links selecionados')).toBeAttached();
    await page.keyboard.press('Escape');
    await expect(link('Cabo')).toBeFocused();
  });

  test('filtra a categoria ao digitar e escolhe a ordem, que fica', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles });
    await signIn(page, account, `/category/${categoryId}`);
    const shown = page.getByRole('list', { name: 'Links' }).getByRole('link');
    await expect(shown.first()).toHaveText('Hub');
    await expect(page.getByLabel('Filtrar os links desta categoria')).toBeVisible();
    await page.keyboard.press('f');
    await page.keyboard.type('AB');
    await expect(shown).toHaveText(['Cabo']);
    await page.keyboard.type('x');
    await expect(page.getByText('Nenhum link desta categoria com “ABx”')).toBeVisible();
    await expectNoBarrier(page, THEMES);
    await page.keyboard.press('Escape');
    await expect(shown).toHaveCount(titles.length);
    await page.getByRole('button', { name: 'Ordem: Mais novos' }).click();
    await page.getByRole('menuitem', { name: 'Título, A–Z' }).click();
    await expect(shown).toHaveText(titles);
    await page.reload();
    await expect(shown.first()).toHaveText('Antena');
  });

  test('sai da lista com um só Tab', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles });
    await signIn(page, account, `/category/${categoryId}`);
    await page.getByRole('link', { name: 'Hub' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('list', { name: 'Links' }).locator(':focus')).toHaveCount(0);
  });

  test('não encontra barreiras ao selecionar, em cartões e em lista', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { links: titles });
    await signIn(page, account, `/category/${categoryId}`);
    for (const view of ['Cartões', 'Lista']) {
      await page.getByRole('button', { name: view, exact: true }).click();
      await page.getByRole('button', { name: 'Selecionar' }).click();
      await page.keyboard.press(' ');
      await expect(page.getByRole('toolbar', { name: 'Seleção' })).toBeVisible();
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(1);
      await expectNoBarrier(page, THEMES);
      await page.keyboard.press('Escape');
    }
  });
});

test('Quem volta a uma categoria longa reencontra o lugar onde estava', async ({ page, account }) => {
  await page.setViewportSize({ width: 1280, height: 340 });
  // One more, and the banner of the last two would come in above while the place is looked for.
  const { categoryId } = await fillLibrary(account, {
    links: Array.from({ length: 17 }, (_, index) => `Leitura ${index + 1}`),
  });
  await fillLibrary(account, { folder: 'Outra', category: 'Curta' });
  await signIn(page, account, `/category/${categoryId}`);
  await expect(linkCard(page, 'Leitura 17')).toBeVisible();
  const main = page.locator('#page');
  await main.evaluate((element) => element.scrollTo(0, 300));
  await expect.poll(() => main.evaluate((element) => element.scrollTop)).toBe(300);
  await shelf(page, 'Outra').click();
  await shelf(page, 'Curta').click();
  await expect(page.getByText('Nenhum link encontrado nesta categoria')).toBeVisible();
  await shelf(page, 'Estudos').click();
  await shelf(page, 'Física').click();
  await expect.poll(() => main.evaluate((element) => element.scrollTop)).toBe(300);
});
