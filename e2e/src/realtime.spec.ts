import type { Page } from '@playwright/test';
import { chooseFromMenu, createFolder, deleteQuestion, linkCard, shelf, signIn } from './support/actions.ts';
import { expectNoBarrier } from './support/expect-no-barrier.ts';
import { fillLibrary } from './support/fill-library.ts';
import { type Account, openAccount } from './support/open-account.ts';
import { expect, type OpenElsewhere, test } from './support/test.ts';

const BADGE = 'Atualizado agora';
const LIVE = 'Conectado: as mudanças chegam sozinhas';

/** Comes to the screen that shows what arrives, and waits until it would. */
async function listen(page: Page, account: Account) {
  await signIn(page, account, '/test-realtime');
  await expect(page.getByText(LIVE)).toBeVisible();
}

/** Somebody who listens in a browser of their own. */
async function listenElsewhere(openElsewhere: OpenElsewhere, account: Account): Promise<Page> {
  const page = await openElsewhere();
  await listen(page, account);
  return page;
}

/** Resolves when the badge has come: it goes after three seconds, in which a busy machine may look too late. */
const untilTold = (page: Page): Promise<void> =>
  page.evaluate(
    (words) =>
      new Promise((resolve) => {
        const look = () => {
          const badge = document.querySelector('[data-live-badge]');
          if (badge?.textContent === words && badge.checkVisibility()) resolve();
        };
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
        look();
      }),
    BADGE,
  );

/** Writes over the wire, as another device of the person does. */
function elsewhere(url: string, { session }: Account) {
  const send = async (method: string, path: string, body?: object) => {
    const { supabaseAnonKey } = (await (await fetch(`${url}/config.json`)).json()) as {
      supabaseAnonKey: string;
    };
    const response = await fetch(`${url}/rest/v1/${path}`, {
      method,
      headers: {
        apikey: supabaseAnonKey,
        authorization: `Bearer ${(session as { access_token: string }).access_token}`,
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  };
  return {
    change: (path: string, body: object) => send('PATCH', path, body),
    remove: (path: string) => send('DELETE', path),
  };
}

test.describe('Quem usa a Linkoteca em dois navegadores', () => {
  test('vê em um o que faz no outro, sem recarregar, e quem não é da conta não vê nada', async ({
    page,
    openElsewhere,
    account,
    server,
  }) => {
    const stranger = await listenElsewhere(openElsewhere, await openAccount(server, 'Bruno'));
    await signIn(page, account);
    // Before it listens, what changes comes with the next reading, and no badge tells of it.
    const other = await listenElsewhere(openElsewhere, account);

    const told = untilTold(other);
    await createFolder(page, 'Viagens');
    await told;
    await expect(shelf(other, 'Viagens')).toBeVisible();
    await expect(page.getByText(BADGE)).toBeHidden();

    await chooseFromMenu(other, shelf(other, 'Viagens'), 'Editar');
    await other.getByLabel('Nome da Pasta').fill('Férias');
    await other.getByRole('button', { name: 'Salvar', exact: true }).click();
    await expect(shelf(page, 'Férias')).toBeVisible();

    await chooseFromMenu(page, shelf(page, 'Férias'), 'Excluir');
    await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
    await expect(shelf(other, 'Férias')).toBeHidden();
    await expect(other.getByText('Nenhuma pasta ainda')).toBeVisible();

    await expect(stranger.getByText(/^Nenhum evento ainda/)).toBeVisible();
    await expect(stranger.getByText(BADGE)).toBeHidden();
  });

  test('vê links e categorias chegarem, mudarem de lugar e irem embora', async ({
    page,
    account,
    server,
  }) => {
    const { folderId, categoryId } = await fillLibrary(account, {
      folder: 'Estudos',
      category: 'Física',
      links: ['Quarks'],
    });
    await signIn(page, account, `/category/${categoryId}`);
    await expect(linkCard(page, 'Quarks')).toBeVisible();
    const { change, remove } = elsewhere(server.url, account);

    const [target] = await account.insert('categories', [
      { name: 'Química', folder_id: folderId, user_id: account.id },
    ]);
    await expect(shelf(page, 'Química')).toBeVisible();
    const link = { user_id: account.id, category_id: categoryId, description: null };
    const [added] = await account.insert('links', [
      { ...link, title: 'Léptons', url: 'https://example.com/l' },
    ]);
    await expect(linkCard(page, 'Léptons')).toBeVisible();
    await change(`links?id=eq.${added?.['id']}`, { title: 'Léptons e bósons' });
    await expect(linkCard(page, 'Léptons e bósons')).toBeVisible();
    await change(`links?id=eq.${added?.['id']}`, { category_id: target?.['id'] });
    await expect(linkCard(page, 'Léptons e bósons')).toBeHidden();
    await expect(page.getByText('1 link', { exact: true })).toBeVisible();

    const [folder] = await account.insert('folders', [{ name: 'Arquivo', user_id: account.id }]);
    await change(`categories?id=eq.${target?.['id']}`, { folder_id: folder?.['id'] });
    await shelf(page, 'Arquivo').click();
    await expect(shelf(page, 'Química')).toBeVisible();
    await remove(`categories?id=eq.${categoryId}`);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText('Categoria não encontrada ou acesso não autorizado')).toBeVisible();
  });

  test('continua a ver depois que o servidor reinicia', async ({ page, account, server }) => {
    await listen(page, account);
    await server.restart();
    await account.insert('folders', [{ name: 'Durante', user_id: account.id }]);
    // The fourth attempt to connect comes 18 s after the loss (specification, section 9), each further one 10 s later.
    await expect(page.getByText(LIVE)).toBeVisible();
    await expect(shelf(page, 'Durante')).toBeVisible();
    await account.insert('folders', [{ name: 'Depois', user_id: account.id }]);
    await expect(shelf(page, 'Depois')).toBeVisible();
    await expect(page.getByRole('log').getByText('Depois')).toBeVisible();
  });
});

test('Quem abre duas abas vê o mesmo nas duas, mesmo sem tempo real', async ({ page, context, account }) => {
  await context.routeWebSocket(/\/realtime\/v1\//, (socket) => socket.close());
  await fillLibrary(account, { folder: 'Estudos', category: 'Física' });
  await signIn(page, account);
  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(shelf(other, 'Estudos')).toBeVisible();
  // A tab in the background draws a frame a second.
  await page.bringToFront();

  await createFolder(page, 'Viagens');
  await expect(shelf(other, 'Viagens')).toBeVisible();
  await chooseFromMenu(page, shelf(page, 'Estudos'), 'Excluir');
  await deleteQuestion(page).getByRole('button', { name: 'Excluir' }).click();
  await expect(shelf(other, 'Estudos')).toBeHidden();
  await expect(other.getByRole('definition').nth(1)).toHaveText('0');
});

test('Quem testa o tempo real adiciona itens e lê o que chega, em qualquer tema e largura', async ({
  page,
  account,
}) => {
  await listen(page, account);
  for (const item of ['pasta', 'categoria', 'link']) {
    await page.getByRole('button', { name: `Adicionar ${item} de teste` }).click();
    await expect(page.getByRole('log').getByText(new RegExp(`^${item} de teste`, 'i'))).toBeVisible();
  }
  // One's own doing is no news.
  await expect(page.getByText(BADGE)).toBeHidden();
  const told = untilTold(page);
  await account.insert('folders', [{ name: 'De outro lugar', user_id: account.id }]);
  await told;
  await expectNoBarrier(page, ['light', 'dark']);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoBarrier(page);

  await page.getByRole('button', { name: 'Cancelar todas' }).click();
  await expect(page.getByText('Nenhuma inscrição ativa')).toBeVisible();
  await page.getByRole('button', { name: 'Retomar todas' }).click();
  await expect(page.getByText(LIVE)).toBeVisible();
});
