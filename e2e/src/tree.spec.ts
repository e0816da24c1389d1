import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { deleteQuestion, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { shareWith } from './support/share-with.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

/** Counts the requests for a category's links. */
function countLinkReads(page: Page, categoryId: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes(`category_id=eq.${categoryId}`)) count += 1;
  });
  return () => count;
}

test.describe('Quem percorre as pastas', () => {
  test('só com o teclado: acha pelo nome, renomeia, abre o menu e exclui, sem perder o lugar', async ({
    page,
    account,
  }) => {
    for (const folder of ['Receitas', '🎵 Música', 'Álbum'])
      await account.insert('folders', [{ name: folder, user_id: account.id }]);
    await fillLibrary(account, { folder: 'Estudos', category: 'Física' });
    await signIn(page, account);
    await shelf(page, 'Estudos').focus();

    await page.keyboard.type('mus');
    await expect(shelf(page, '🎵 Música')).toBeFocused();
    await page.keyboard.press('F2');
    const name = page.getByRole('textbox', { name: 'Nome da Pasta' });
    await expect(name).toBeFocused();
    await expectNoBarrier(page, THEMES);
    await page.keyboard.type('Outra coisa');
    await page.keyboard.press('Escape');
    await expect(shelf(page, '🎵 Música')).toBeFocused();
    await page.keyboard.press('F2');
    await page.keyboard.type('🎵 Música brasileira');
    await page.keyboard.press('Enter');
    await expect(shelf(page, '🎵 Música brasileira')).toBeFocused();

    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect(shelf(page, 'Física')).toBeFocused();
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menu', { name: 'Ações de Física' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(shelf(page, 'Física')).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(shelf(page, 'Física')).toHaveCount(0);

    await page.keyboard.press('End');
    await expect(shelf(page, 'Receitas')).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(deleteQuestion(page)).toContainText('Receitas');
    await deleteQuestion(page).getByRole('button', { name: 'Cancelar' }).click();
    await expect(shelf(page, 'Receitas')).toBeFocused();
    await page.keyboard.press('Delete');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(shelf(page, 'Receitas')).toHaveCount(0);
    await expect(page.getByRole('treeitem').and(page.locator(':focus'))).toHaveCount(1);
  });

  test('aponta para uma categoria e, ao clicar, ela já está lá', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { folder: 'Estudos', links: ['Quarks'] });
    // Once it is heard what changes elsewhere, what is shown is read once more: that is not what is counted here.
    await page.routeWebSocket(/\/realtime\/v1\//, (socket) => socket.close());
    await signIn(page, account);
    await shelf(page, 'Estudos').click();
    const reads = countLinkReads(page, categoryId);
    const answered = page.waitForResponse((answer) => answer.url().includes(`category_id=eq.${categoryId}`));
    await shelf(page, 'Física').hover();
    await answered;
    await shelf(page, 'Estudos').hover();
    await shelf(page, 'Física').hover();
    await shelf(page, 'Física').click();
    await expect(page.getByRole('link', { name: 'Quarks' })).toBeVisible();
    expect(reads()).toBe(1);
  });

  test('passa depressa por cima das categorias sem que nada seja pedido', async ({ page, account }) => {
    const { categoryId } = await fillLibrary(account, { folder: 'Estudos', links: ['Quarks'] });
    await signIn(page, account);
    await shelf(page, 'Estudos').click();
    const reads = countLinkReads(page, categoryId);
    await page.evaluate((id) => {
      const row = document.querySelector(`[data-category="${id}"]`);
      const tree = document.querySelector('[role=tree]');
      row?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      tree?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    }, categoryId);
    await page.waitForTimeout(200);
    expect(reads()).toBe(0);
  });

  test('com 300 pastas e 1.000 categorias abre a maior delas e anda nela pelo nome', async ({
    page,
    account,
    server,
  }) => {
    await subscribe(server, account, 'pro');
    const folders = Array.from({ length: 300 }, (_, index) => ({
      id: randomUUID(),
      name: `Pasta ${index + 1}`,
      user_id: account.id,
    }));
    await account.insert('folders', folders);
    const folderId = folders[0]?.id ?? '';
    await account.insert(
      'categories',
      Array.from({ length: 1000 }, (_, index) => ({
        name: `Categoria ${index + 1}`,
        folder_id: folderId,
        user_id: account.id,
      })),
    );
    await signIn(page, account);
    await expect(shelf(page, 'Pasta 300')).toBeAttached();
    await expect(shelf(page, 'Pasta 1')).toHaveAttribute('aria-description', '1.000 categorias');
    await shelf(page, 'Pasta 1').click();
    await expect(page.getByRole('treeitem', { level: 2 })).toHaveCount(1000);
    // Between two keys the machine may take longer than the breath that ends a name: for keys the clock stands still.
    await page.evaluate(() => Object.defineProperty(KeyboardEvent.prototype, 'timeStamp', { value: 1 }));
    await page.keyboard.type('categoria 7');
    await expect(
      page.getByRole('treeitem', { name: /^Categoria 7/ }).and(page.locator(':focus')),
    ).toBeInViewport();
  });
});

test.describe('Quem recebe categorias no plano Free', () => {
  test('lê "Acesso limitado" também quando chega pelo endereço da segunda', async ({
    page,
    account,
    server,
  }) => {
    await shareWith(server, account.email, 'Frutas');
    const second = await shareWith(server, account.email, 'Verduras');
    await signIn(page, account, `/category/${second.categoryId}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Acesso limitado' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Ver planos' }).click();
    await expect(page).toHaveURL(/\/plans$/);
  });

  test('sai da primeira, volta atrás, e escolhe abrir a outra, só com o teclado', async ({
    page,
    account,
    server,
  }) => {
    await shareWith(server, account.email, 'Frutas');
    await shareWith(server, account.email, 'Verduras');
    await signIn(page, account);
    await page.getByRole('button', { name: /^Compartilhados/ }).press('Enter');
    const fruits = page.getByRole('button', { name: /^Frutas/ });
    await fruits.focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Ações da categoria compartilhada Frutas' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Sair deste compartilhamento' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Abrir esta' })).toHaveCount(0);
    await expectNoBarrier(page, THEMES);
    await page.getByRole('menuitem', { name: 'Sair deste compartilhamento' }).press('Enter');
    await expect(page.getByText('Você saiu de “Frutas”')).toBeVisible();
    await expect(fruits).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(fruits).toBeVisible();

    await page.getByRole('button', { name: /^Verduras/ }).press('Enter');
    const limit = page.getByRole('alertdialog', { name: 'Acesso limitado' });
    await expect(limit).toBeVisible();
    await expectNoBarrier(page, THEMES);
    await limit.getByRole('button', { name: 'Abrir esta' }).press('Enter');
    await expect(page.getByText('Compartilhado por: Dona Clara')).toBeVisible();
    await expect(page.getByText('Maçã').first()).toBeVisible();
    await page.reload();
    await expect(page.getByText('Maçã').first()).toBeVisible();
    await fruits.press('Enter');
    await expect(limit).toBeVisible();
  });
});
