import type { Page } from '@playwright/test';
import { fillLogin, linkCard, notice, signIn } from './support/actions.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { fillLibrary, type Library } from './support/fill-library.ts';
import { type Account, openAccount } from './support/open-account.ts';
import type { RunningServer } from './support/run-server.ts';
import { shareWith } from './support/share-with.ts';
import { stopIntervals } from './support/stop-intervals.ts';
import { subscribe } from './support/subscribe.ts';
import { expect, test } from './support/test.ts';

const REVOKED = 'Acesso revogado';

/** 'Dona Clara', who has the plan for it, and a category of hers. */
async function openOwner(server: RunningServer): Promise<Account & Library> {
  const owner = await openAccount(server, 'Dona Clara');
  await subscribe(server, owner, 'plus');
  return { ...owner, ...(await fillLibrary(owner, { category: 'Receitas', links: ['Bolo', 'Pão'] })) };
}

/** Saves mode and list as the sharing dialog does; resolves when the database has it. */
async function share(url: string, owner: Account & Library, isPublic: boolean, emails: readonly string[]) {
  const { supabaseAnonKey } = (await (await fetch(`${url}/config.json`)).json()) as {
    supabaseAnonKey: string;
  };
  const response = await fetch(`${url}/rest/v1/rpc/save_sharing`, {
    method: 'POST',
    headers: {
      apikey: supabaseAnonKey,
      authorization: `Bearer ${(owner.session as { access_token: string }).access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ category_id: owner.categoryId, is_public: isPublic, emails }),
  });
  if (!response.ok) throw new Error(`sharing was refused: ${await response.text()}`);
}

/** The page's own socket listens. The look every 3 s, which would tell it too, does not run there (`stopIntervals`). */
const listening = (page: Page, topic: string) =>
  page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', ({ payload }) => {
      const text = String(payload);
      return text.includes(topic) && text.includes('"ok"');
    }),
  );

/** When the revoked screen comes, to the frame: an assertion that is tried again and again would add its own pauses. */
const watchForTheEnd = (page: Page): Promise<number> =>
  page.evaluate(
    (words) =>
      new Promise<number>((resolve) => {
        new MutationObserver(() => {
          if (document.querySelector('h1')?.textContent === words) resolve(Date.now());
        }).observe(document.body, { childList: true, subtree: true });
      }),
    REVOKED,
  );

test.describe('Quem abre uma categoria compartilhada', () => {
  test('vê o que foi convidado a ver, e perde a página na hora quando o convite acaba', async ({
    page,
    openElsewhere,
    account,
    server,
  }) => {
    const owner = await openOwner(server);
    await share(server.url, owner, false, [account.email]);
    const address = `/shared/${owner.categoryId}`;

    // A stranger, signed in, reads that it is not theirs to see.
    const stranger = await openElsewhere();
    await signIn(stranger, await openAccount(server, 'Bruno'), address);
    await expect(stranger.getByText('Você não tem permissão para visualizar esta categoria.')).toBeVisible();
    await expect(stranger.getByText('Receitas')).toBeHidden();

    await stopIntervals(page);
    const live = listening(page, `shared:${owner.categoryId}`);
    await signIn(page, account, address);
    await expect(page.getByRole('heading', { name: 'Receitas' })).toBeVisible();
    await expect(page.getByText('Compartilhado por: Dona Clara')).toBeVisible();
    await expect(linkCard(page, 'Bolo')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Adicionar Link' })).toBeHidden();
    await expectNoBarrier(page, THEMES);
    await live;

    // What the owner adds arrives by itself.
    await owner.insert('links', [
      { title: 'Broa', url: 'https://example.com/broa', category_id: owner.categoryId, user_id: owner.id },
    ]);
    await expect(linkCard(page, 'Broa')).toBeVisible();

    const end = watchForTheEnd(page);
    await share(server.url, owner, false, []);
    const endedAt = Date.now();
    expect((await end) - endedAt).toBeLessThan(10_000);
    await expect(page.getByText('Você não tem mais acesso a esta categoria.')).toBeVisible();
    await expect(notice(page, 'Acesso à categoria revogado ou não disponível')).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/');
    await expect(page.getByText('Bolo')).toBeHidden();
  });

  test('sem ter entrado, lê a pública no telefone até ela deixar de ser', async ({ page, server }) => {
    const owner = await openOwner(server);
    await share(server.url, owner, true, []);
    await page.setViewportSize({ width: 390, height: 844 });
    await stopIntervals(page);
    const live = listening(page, `shared:${owner.categoryId}`);
    // Past the server's own page: what the app shows where there is no such server.
    await page.goto(`/shared/${owner.categoryId}?app=1`);
    await expect(page.getByRole('heading', { name: 'Receitas' })).toBeVisible();
    await expect(linkCard(page, 'Pão')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Criar Conta', exact: true })).toBeVisible();
    await expectNoBarrier(page, THEMES);
    await live;

    const end = watchForTheEnd(page);
    await share(server.url, owner, false, []);
    const endedAt = Date.now();
    expect((await end) - endedAt).toBeLessThan(10_000);
    await page.goto(`/shared/${owner.categoryId}`);
    await expect(page.getByRole('heading', { name: 'Categoria não encontrada' })).toBeVisible();
    await expectNoBarrier(page, THEMES);
  });

  test('entra e volta à restrita, e a copia para a sua biblioteca', async ({ page, account, server }) => {
    const { categoryId } = await shareWith(server, account.email, 'Pomar');
    await fillLibrary(account, { folder: 'Minhas coisas' });
    await page.goto(`/shared/${categoryId}`);
    await expect(
      page.getByText('Esta categoria requer acesso restrito. Por favor, faça login para visualizar.'),
    ).toBeVisible();
    await expectNoBarrier(page, THEMES);
    await page.getByRole('main').getByRole('link', { name: 'Entrar' }).click();
    await fillLogin(page, account);
    await expect(page.getByRole('heading', { name: 'Pomar' })).toBeVisible();

    await page.getByRole('button', { name: 'Copiar para minha biblioteca' }).click();
    await page.getByRole('option', { name: 'Minhas coisas' }).click();
    await expect(notice(page, 'Categoria copiada para Minhas coisas')).toBeVisible();
    await page.getByRole('link', { name: 'Abrir minha cópia' }).click();
    await expect(linkCard(page, 'Maçã')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Adicionar Link' }).first()).toBeVisible();
  });
});
