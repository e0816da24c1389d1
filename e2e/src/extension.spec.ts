import { fillLogin } from './support/actions.ts';
import { createKey } from './support/create-key.ts';
import { expectNoBarrier, THEMES } from './support/expect-no-barrier.ts';
import { chooseInstallation, connectByKey, expect, test } from './support/extension-test.ts';
import { fillLibrary } from './support/fill-library.ts';
import { type Account, openAccount } from './support/open-account.ts';
import { openExtension } from './support/open-extension.ts';
import { runBehindGate } from './support/run-behind-gate.ts';
import type { RunningServer } from './support/run-server.ts';
import { servePages } from './support/serve-pages.ts';
import { readServiceRoleKey, subscribe } from './support/subscribe.ts';

/** An operator registers the extension. */
async function registerExtension(server: RunningServer, id: string): Promise<string> {
  const registered = await fetch(`${server.url}/auth/v1/admin/oauth/clients`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await readServiceRoleKey(server)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      client_name: 'Extensão da Linkoteca',
      redirect_uris: [
        `https://${id}.chromiumapp.org/`,
        // Firefox's, as docs/operations.md has it.
        'https://73360d8ac8dfc4420eed3068dba0ef725e0a9fab.extensions.allizom.org/',
      ],
      token_endpoint_auth_method: 'none',
    }),
  });
  return ((await registered.json()) as { client_id: string }).client_id;
}

type Row = { title: string; url: string; description: string | null; category: string };

/** The person's links, the first one first. */
async function links(account: Account): Promise<readonly Row[]> {
  const rows = (await account.read(
    'links?select=title,url,description,...categories(category:name)&order=created_at',
  )) as Row[];
  return rows;
}

const titles = async (account: Account) => (await links(account)).map(({ title }) => title);

/** From now on the background does not hear a page of the extension ask for this, as where it ends on the way. */
function loseRequests(kind: 'undo' | 'change'): void {
  if (location.protocol !== 'chrome-extension:') return;
  const { runtime } = chrome;
  const send = runtime.sendMessage.bind(runtime);
  runtime.sendMessage = async (request) => (request.kind === kind ? { ok: false } : await send(request));
}

test.describe('A extensão do navegador', () => {
  test('entra pela própria Linkoteca, salva com um clique, muda o que salvou e desfaz', async ({
    account,
    server,
    browserWithIt,
    pages,
  }) => {
    await fillLibrary(account, { category: 'Padarias' });
    const clientId = await registerExtension(server, browserWithIt.id);
    const { context } = browserWithIt;
    // A busy machine is no slow network, for which the popup asks no longer than this whether the library has the page.
    await context.addInitScript((lookUpMs) => {
      if (location.protocol !== 'chrome-extension:') return;
      const wait = window.setTimeout.bind(window);
      const longer = (work: TimerHandler, ms?: number) => wait(work, ms === lookUpMs ? 60_000 : ms);
      Object.assign(window, { setTimeout: longer });
    }, 1_500);
    const page = await context.newPage();
    await page.goto(`${pages.url}/pao`);
    const early = await browserWithIt.press(page);
    await expect(early.getByRole('heading', { name: 'Conecte sua Linkoteca' })).toBeVisible();
    await early.close();

    const options = await chooseInstallation(browserWithIt, server.url);
    // Here nobody has said as which program it signs in.
    await options.getByRole('button', { name: 'Entrar', exact: true }).click();
    await expect(options.getByRole('alert')).toHaveText(/Cole o id que recebeu/);
    await options.getByLabel('Id do programa').fill(clientId);
    const opening = context.waitForEvent('page');
    await options.getByRole('button', { name: 'Entrar', exact: true }).click();
    const consent = await opening;
    await fillLogin(consent, account);
    await expect(consent.getByText('Extensão da Linkoteca')).toBeVisible();
    await consent.getByRole('button', { name: 'Permitir' }).click();
    await expect(options.getByRole('heading', { name: /^Conectada a/ })).toBeVisible();

    await page.getByText('Conteúdo').selectText();
    const popup = await browserWithIt.press(page);
    await expect(popup.getByRole('heading', { name: 'Salvo em Entrada' })).toBeVisible();
    await expect(popup.getByLabel('Nota')).toHaveValue('Conteúdo');
    await expectNoBarrier(popup, THEMES);
    await popup.getByLabel('Categoria').selectOption('Padarias');
    await popup.getByLabel('Tags').fill('café, manhã');
    await popup.getByLabel('Nota').fill('Abre cedo');
    // It closes under what is being typed.
    await popup.close();
    await expect
      .poll(() => links(account))
      .toEqual([
        { title: 'Página pao', url: `${pages.url}/pao`, description: 'Abre cedo', category: 'Padarias' },
      ]);

    const again = await browserWithIt.press(page);
    await expect(again.getByRole('heading', { name: 'Você já tem esta página em Padarias' })).toBeVisible();
    await expect(again.getByLabel('Tags')).toHaveValue('café, manhã');
    await again.getByRole('button', { name: 'Salvar de novo' }).click();
    await expect(again.getByRole('heading', { name: 'Salvo em Entrada' })).toBeVisible();
    await again.getByLabel('Categoria').selectOption('Nova categoria…');
    await expect(again.getByLabel('Nome da nova categoria')).toBeFocused();
    await expectNoBarrier(again, THEMES);
    await again.getByRole('button', { name: 'Criar' }).click();
    await expect(again.getByText('Dê um nome à categoria.')).toBeVisible();
    await again.getByLabel('Nome da nova categoria').fill('Cafés');
    await again.keyboard.press('Enter');
    await expect(again.getByRole('heading', { name: 'Salvo em Cafés' })).toBeVisible();
    await expect(again.getByLabel('Categoria').locator('option:checked')).toHaveText('Cafés');
    await expect.poll(async () => (await links(account)).at(-1)?.category).toBe('Cafés');
    await again.getByRole('button', { name: 'Desfazer' }).click();
    await expect(again.getByText('Desfeito: não está mais na biblioteca')).toBeVisible();
    expect(await links(account)).toHaveLength(1);

    // The token of an hour is over: it is renewed.
    const background = await browserWithIt.background();
    await background.evaluate(async () => {
      const { connection } = await chrome.storage.local.get<{ connection: { session: object } }>(
        'connection',
      );
      const session = { ...connection.session, accessToken: 'vencido' };
      await chrome.storage.local.set({ connection: { ...connection, session } });
    });
    const panel = await browserWithIt.open('panel');
    await panel.setViewportSize({ width: 380, height: 800 });
    await expect(panel.getByRole('link', { name: 'Página pao' })).toHaveAttribute('href', `${pages.url}/pao`);
    await expectNoBarrier(panel, THEMES);
    await panel.getByRole('searchbox').fill('abre cedo');
    await expect(panel.getByRole('heading', { name: 'Resultados' })).toBeVisible();
    await expect(panel.getByRole('link', { name: 'Página pao' })).toBeVisible();
    await panel.getByRole('searchbox').fill('');
    await panel.getByText('Estudos').click();
    await expect(panel.getByRole('link', { name: 'Padarias' })).toHaveAttribute(
      'href',
      new RegExp(`^${server.url}/category/`),
    );

    // The person disconnects the program.
    const { access_token } = account.session as { access_token: string };
    await fetch(`${server.url}/auth/v1/user/oauth/grants?client_id=${clientId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${access_token}` },
    });
    await page.goto(`${pages.url}/tarde`);
    const late = await browserWithIt.press(page);
    await expect(late.getByText('Sua conexão com a Linkoteca terminou.', { exact: false })).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Entrar de novo' })).toBeVisible();
    expect(await links(account)).toHaveLength(1);
  });

  test('põe o que salvou em uma pasta que alguém compartilha, e desfaz lá', async ({
    account,
    server,
    browserWithIt,
    pages,
  }) => {
    const owner = await openAccount(server, 'Dona Clara');
    await subscribe(server, owner, 'plus');
    const { folderId } = await fillLibrary(owner, { folder: 'Cozinha', category: 'Receitas' });
    const member = { folder_id: folderId, email: account.email, role: 'editor' };
    await owner.insert('folder_members?select=id', [member]);
    const key = await createKey(server, account, 'links:read links:write');
    const options = await chooseInstallation(browserWithIt, server.url);
    await options.getByLabel('Chave pessoal').fill(key.token);
    await options.getByRole('button', { name: 'Entrar com uma chave pessoal' }).click();
    await expect(options.getByRole('heading', { name: /^Conectada a/ })).toBeVisible();
    const page = await browserWithIt.context.newPage();
    await page.goto(`${pages.url}/pao`);
    const popup = await browserWithIt.press(page);
    await expect(popup.getByRole('heading', { name: 'Salvo em Entrada' })).toBeVisible();
    await popup.getByLabel('Nota').fill('Abre cedo');
    await popup.getByLabel('Nota').blur();
    await popup.getByLabel('Categoria').selectOption('Receitas');
    await expect(popup.getByRole('heading', { name: 'Salvo em Receitas' })).toBeVisible();
    await expect(popup.getByLabel('Tags')).toBeHidden();
    await expectNoBarrier(popup, THEMES);
    await expect(popup.getByLabel('Nota')).toHaveValue('Abre cedo');
    await expect.poll(() => links(owner)).toMatchObject([{ title: 'Página pao', description: 'Abre cedo' }]);
    expect(await account.read(`links?select=title&user_id=eq.${account.id}`)).toEqual([]);
    await popup.getByRole('button', { name: 'Desfazer' }).click();
    await expect(popup.getByRole('heading', { name: /^Desfeito/ })).toBeVisible();
    expect(await titles(owner)).toEqual([]);

    await page.bringToFront();
    await page.goto(`${pages.url}/bolo`);
    await popup.reload();
    await expect(popup.getByRole('heading', { name: 'Salvo em Entrada' })).toBeVisible();
    await popup.evaluate(loseRequests, 'undo' as const);
    await popup.getByLabel('Categoria').selectOption('Receitas');
    await expect(popup.getByRole('heading', { name: 'Salvo em Receitas' })).toBeVisible();
    await expect(popup.getByRole('alert')).toHaveText(/pode estar nos dois lugares/);
    expect(await account.read(`links?select=title&user_id=eq.${account.id}`)).toEqual([
      { title: 'Página bolo' },
    ]);
  });

  test('fica com o que salvou quando a chave é revogada, diz isso, e envia quando a pessoa volta', async ({
    account,
    server,
    browserWithIt,
    pages,
  }) => {
    const key = await createKey(server, account, 'links:read links:write');
    const options = await chooseInstallation(browserWithIt, server.url);
    await expectNoBarrier(options, THEMES);
    await options.getByLabel('Chave pessoal').fill('lk_pat_nada');
    await options.getByRole('button', { name: 'Entrar com uma chave pessoal' }).click();
    await expect(options.getByRole('alert')).toHaveText(/Esta chave não abre nenhuma biblioteca/);
    await options.getByLabel('Chave pessoal').fill(key.token);
    await options.getByRole('button', { name: 'Entrar com uma chave pessoal' }).click();
    await expect(options.getByRole('heading', { name: /^Conectada a/ })).toBeVisible();
    const page = await browserWithIt.context.newPage();
    await page.goto(`${pages.url}/antes`);
    const before = await browserWithIt.press(page);
    await expect(before.getByRole('heading', { name: 'Salvo em Entrada' })).toBeVisible();
    await before.close();

    await key.revoke();
    await page.goto(`${pages.url}/depois`);
    const popup = await browserWithIt.press(page);
    await expect(popup.getByText('Sua conexão com a Linkoteca terminou.', { exact: false })).toBeVisible();
    await expectNoBarrier(popup, THEMES);
    await popup.evaluate(loseRequests, 'change' as const);
    await popup.getByLabel('Nota').fill('Fecha tarde');
    await popup.getByLabel('Nota').blur();
    await expect(popup.getByRole('alert')).toHaveText('Não foi possível salvar a mudança. Tente de novo.');
    await popup.evaluate(loseRequests, 'undo' as const);
    await popup.getByRole('button', { name: 'Desfazer' }).click();
    await expect(popup.getByRole('alert')).toHaveText('Não foi possível desfazer. Tente de novo.');
    await popup.getByRole('button', { name: 'Entrar de novo' }).click();
    await popup.close();
    await expect(options.getByText('Sua conexão com a Linkoteca terminou.', { exact: false })).toBeVisible();
    expect(await titles(account)).toEqual(['Página antes']);

    const reading = await createKey(server, account, 'links:read');
    await options.getByLabel('Chave pessoal').fill(reading.token);
    await options.getByRole('button', { name: 'Entrar com uma chave pessoal' }).click();
    await expect(options.getByText('Esta conexão não pode salvar links.', { exact: false })).toBeVisible();
    await expectNoBarrier(options, THEMES);
    await options.getByRole('button', { name: 'Desconectar' }).click();
    await options.getByLabel('Endereço da sua Linkoteca').fill(server.url);
    await options.getByRole('button', { name: 'Continuar' }).click();
    const fresh = await createKey(server, account, 'links:read links:write');
    await options.getByLabel('Chave pessoal').fill(fresh.token);
    await options.getByRole('button', { name: 'Entrar com uma chave pessoal' }).click();
    await expect.poll(() => titles(account)).toEqual(['Página antes', 'Página depois']);
  });

  test('guarda vinte páginas sem internet, e as vinte estão na biblioteca depois de o navegador morrer', async ({
    profile,
    pages,
  }) => {
    const gated = await runBehindGate();
    try {
      const account = await openAccount({ ...gated.server, url: gated.url });
      const { token } = await createKey(gated.server, account, 'links:read links:write');
      const browser = await openExtension(profile);
      const options = await chooseInstallation(browser, gated.url);
      await options.getByLabel('Chave pessoal').fill(token);
      await options.getByRole('button', { name: 'Entrar com uma chave pessoal' }).click();
      await expect(options.getByRole('heading', { name: /^Conectada a/ })).toBeVisible();

      const expected = Array.from({ length: 20 }, (_, index) => `Página ${index + 1}`);
      const page = await browser.context.newPage();
      // The first one is saved, and nobody hears of it; from then on there is no network.
      gated.shutBeforeAnswer('/rpc/capture_link');
      await page.goto(`${pages.url}/1`);
      const popup = await browser.press(page);
      const kept = popup.getByRole('heading', { name: 'Guardado neste aparelho' });
      await expect(kept).toBeVisible();
      await popup.getByLabel('Nota').fill('Sem internet');
      await popup.getByLabel('Tags').fill('trem');
      await expectNoBarrier(popup, THEMES);
      await page.bringToFront();
      for (const path of expected.slice(1).map((title) => title.replace('Página ', '/'))) {
        await page.goto(`${pages.url}${path}`);
        await popup.reload();
        await expect(kept).toBeVisible();
      }
      await browser.kill();
      gated.open();
      const later = await openExtension(profile);
      await expect.poll(() => titles(account)).toEqual(expected);
      const [first] = await links(account);
      expect(first?.description).toBe('Sem internet');
      expect(await account.read('tags?select=name')).toEqual([{ name: 'trem' }]);
      const left = await later.open('options');
      await expect(left.getByRole('heading', { name: /^Conectada a/ })).toBeVisible();
      await expect(left.getByText('Esperando para salvar')).toHaveCount(0);
      await later.close();
      expect([...browser.complaints, ...later.complaints]).toEqual([]);
    } finally {
      await gated.remove();
    }
  });

  test('salva de uma página hostil só texto, e de endereços que executam nada', async ({
    account,
    server,
    browserWithIt,
  }) => {
    const pages = await servePages({
      '/hostil': `<title>&lt;img src=x onerror=alert(1)&gt; oi</title>
        <meta name="description" content="${'muito '.repeat(350_000)}">
        <form name="title"><input name="querySelector"></form><img name="querySelector"><form name="getSelection"></form>
        <p>Conteúdo`,
    });
    try {
      await connectByKey(browserWithIt, server, account);
      const page = await browserWithIt.context.newPage();
      await page.goto(`${pages.url}/hostil`);
      const popup = await browserWithIt.press(page);
      await expect(popup.getByText('<img src=x onerror=alert(1)> oi')).toBeVisible();
      expect(await popup.locator('img').count()).toBe(0);
      const [link] = await links(account);
      expect(link?.title).toBe('<img src=x onerror=alert(1)> oi');
      expect(link?.description).toMatch(/^(?:muito )+muito…$/);
      await popup.close();

      for (const address of ['about:blank', 'data:text/html,<title>Isca</title>']) {
        await page.goto(address);
        const refused = await browserWithIt.press(page);
        await expect(refused.getByRole('heading', { name: 'Esta página não pode ser salva' })).toBeVisible();
        await refused.close();
      }
      expect(await links(account)).toHaveLength(1);
    } finally {
      pages.stop();
    }
  });

  test('diz que não pôde desfazer as abas que salvou, e não fala de um atalho que não há', async ({
    account,
    server,
    browserWithIt,
    pages,
  }) => {
    const { context } = browserWithIt;
    await context.addInitScript(() => {
      if (location.protocol !== 'chrome-extension:') return;
      Object.assign(chrome.commands, { getAll: async () => [] });
    });
    await context.addInitScript(loseRequests, 'undo' as const);
    const options = await connectByKey(browserWithIt, server, account);
    await expect(
      options.getByText('Clique no botão da extensão em qualquer página para salvar.'),
    ).toBeVisible();
    await (await context.newPage()).goto(`${pages.url}/trem`);
    const page = await context.newPage();
    await page.goto('about:blank');
    const popup = await browserWithIt.press(page);
    await popup.getByRole('button', { name: 'Salvar todas as abas' }).click();
    await popup.getByRole('button', { name: /^Salvar \d+ abas?$/ }).click();
    await expect(popup.getByRole('heading', { name: /^Pronto: / })).toBeVisible();
    await popup.getByRole('button', { name: 'Desfazer' }).click();
    await expect(popup.getByRole('alert')).toHaveText('Não foi possível desfazer. Tente de novo.');
    expect(await titles(account)).toContain('Página trem');
  });

  test('salva todas as abas, marca o que já tem, guarda pelo menu e acha pela barra de endereço', async ({
    account,
    server,
    browserWithIt,
    pages,
  }) => {
    const { context } = browserWithIt;
    await fillLibrary(account, { category: 'Viagem' });
    const options = await connectByKey(browserWithIt, server, account);
    for (const name of ['trem', 'hotel', 'hotel?utm_source=x', 'mapa'])
      await (await context.newPage()).goto(`${pages.url}/${name}`);
    const page = await context.newPage();
    await page.goto('about:blank');
    const popup = await browserWithIt.press(page);
    await popup.getByRole('button', { name: 'Salvar todas as abas' }).click();
    await popup.getByLabel('Categoria').selectOption('Viagem');
    await expectNoBarrier(popup, THEMES);
    await popup.getByRole('button', { name: 'Salvar 3 abas' }).click();
    await expect(popup.getByRole('heading', { name: 'Pronto: 3 abas na biblioteca' })).toBeVisible();
    await popup.getByRole('button', { name: 'Desfazer' }).click();
    await expect(popup.getByText('Desfeito: não está mais na biblioteca')).toBeVisible();
    expect(await links(account)).toEqual([]);
    await page.bringToFront();
    await popup.reload();
    await popup.getByRole('button', { name: 'Salvar todas as abas' }).click();
    await popup.getByLabel('Categoria').selectOption('Viagem');
    await popup.getByRole('button', { name: 'Salvar 3 abas' }).click();
    await expect(popup.getByRole('heading', { name: 'Pronto: 3 abas na biblioteca' })).toBeVisible();
    await popup.close();
    const saved = await links(account);
    expect(saved.map(({ title, category }) => [title, category])).toEqual(
      ['trem', 'hotel', 'mapa'].map((name) => [`Página ${name}`, 'Viagem']),
    );

    // Off until it is wanted.
    const background = await browserWithIt.background();
    const badge = () =>
      background.evaluate(async () => {
        const [tab] = await chrome.tabs.query({ active: true });
        return chrome.action.getBadgeText({ tabId: tab?.id ?? 0 });
      });
    await page.bringToFront();
    await page.goto(`${pages.url}/mapa`);
    expect(await badge()).toBe('');
    await options.bringToFront();
    await options.getByLabel('Marcar no botão as páginas que já tenho').check();
    await page.bringToFront();
    await page.goto(`${pages.url}/mapa#legenda`);
    await page.reload();
    await expect.poll(badge).toBe('✓');
    await page.goto(`${pages.url}/outra`);
    await expect.poll(badge).toBe('');

    await background.evaluate((url) => {
      const click = { menuItemId: 'link', linkUrl: `${url}/artigo`, editable: false };
      chrome.contextMenus.onClicked.dispatch(click, undefined);
    }, pages.url);
    await expect.poll(() => titles(account)).toContain(`${pages.url.slice('http://'.length)}/artigo`);

    // What stands under the address bar.
    const ask = () =>
      background.evaluate(
        (term) =>
          new Promise<{ ms: number; found: { content: string }[] }>((resolve) => {
            const begun = performance.now();
            const answer = (found: { content: string }[]) =>
              resolve({ ms: performance.now() - begun, found });
            chrome.omnibox.onInputChanged.dispatch(term, answer);
          }),
        'hotel',
      );
    for (const { found } of [await ask(), await ask(), await ask()])
      expect(found.map(({ content }) => content)).toEqual([`${pages.url}/hotel`]);
    // How long it takes where the machine does nothing else.
    await expect.poll(async () => (await ask()).ms).toBeLessThan(100);
  });
});
