import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import { type Browser, chromium, expect, type Locator, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { signIn } from './support/actions.ts';
import { createKey } from './support/create-key.ts';
import { fillLibrary } from './support/fill-library.ts';
import { openAccount } from './support/open-account.ts';
import { createProfile, openExtension } from './support/open-extension.ts';
import { type RunningServer, runServer } from './support/run-server.ts';
import { servePages } from './support/serve-pages.ts';
import { subscribe } from './support/subscribe.ts';

/**
 * `npm run acts`: what the daily things take, in acts and in seconds, as the rows of the README's table. An act is a press, a key
 * that means something, a paste, or a field filled. Seconds are the app's own, from the first act to the result on the screen: the
 * hand that acts takes no time here.
 */
class Acts {
  count = 0;
  readonly page: Page;
  readonly #begunAt = performance.now();

  constructor(page: Page) {
    this.page = page;
  }

  async press(target: Locator): Promise<void> {
    this.count += 1;
    await target.click();
  }

  async key(name: string): Promise<void> {
    this.count += 1;
    await this.page.keyboard.press(name);
  }

  async type(text: string): Promise<void> {
    this.count += 1;
    await this.page.keyboard.type(text);
  }

  async paste(text: string): Promise<void> {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await this.key('ControlOrMeta+V');
  }

  /** What `npm run acts` says of it, once the result is there. */
  async endsWith(result: Locator): Promise<{ readonly acts: number; readonly seconds: string }> {
    await expect(result.first()).toBeVisible();
    return { acts: this.count, seconds: ((performance.now() - this.#begunAt) / 1000).toFixed(1) };
  }
}

type Measured = Awaited<ReturnType<Acts['endsWith']>>;

interface DailyAct {
  readonly name: string;
  /** Acts that it took before the forms were made shorter, counted on the screens of that version. */
  readonly before: number;
  readonly links?: readonly string[];
  readonly empty?: boolean;
  readonly run: (acts: Acts, page: Page) => Promise<Measured>;
}

const address = (n: number) => `https://example.com/artigo-${n}`;
const titles = (count: number) => Array.from({ length: count }, (_, n) => `Leitura ${n + 1}`);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

const DAILY: readonly DailyAct[] = [
  {
    name: 'the first link of an empty account',
    before: 12,
    empty: true,
    run: async (acts, page) => {
      await expect(page.getByLabel('Cole seu primeiro link')).toBeFocused();
      await acts.paste(address(1));
      await acts.key('Enter');
      return acts.endsWith(page.getByRole('treeitem', { name: 'Minha biblioteca' }));
    },
  },
  {
    name: 'the next link, from anywhere',
    before: 4,
    run: async (acts, page) => {
      await acts.paste(address(2));
      await expect(page.getByRole('dialog').getByLabel('Título')).toHaveValue('Um artigo');
      await acts.key('Enter');
      return acts.endsWith(page.getByText('Link salvo com sucesso'));
    },
  },
  {
    name: 'ten links at once',
    before: 3,
    run: async (acts, page) => {
      await acts.paste(Array.from({ length: 10 }, (_, n) => address(n + 10)).join('\n'));
      await acts.press(page.getByRole('dialog').getByRole('button', { name: /10 links$/ }));
      return acts.endsWith(page.getByText(/^10 links/));
    },
  },
  {
    name: 'find one and open it',
    before: 3,
    links: titles(50),
    run: async (acts, page) => {
      await acts.key('/');
      await acts.type('leitura 37');
      const found = await acts.endsWith(page.getByRole('option', { name: /Leitura 37/ }));
      await acts.key('ControlOrMeta+Enter');
      return { ...found, acts: acts.count };
    },
  },
  {
    name: 'move fifty to another category',
    before: 5,
    links: titles(50),
    run: async (acts, page) => {
      await acts.press(button(page, 'Selecionar'));
      await acts.press(button(page, 'Selecionar todos'));
      await acts.press(button(page, 'Mover (50)'));
      await expect(page.getByRole('combobox', { name: 'Buscar categoria' })).toBeFocused();
      await acts.type('arquivo');
      await acts.key('Enter');
      return acts.endsWith(page.getByText('50 links movidos para Arquivo'));
    },
  },
  {
    name: 'share with everybody, address copied',
    before: 5,
    links: titles(3),
    run: async (acts, page) => {
      await acts.press(button(page, 'Mais formas de compartilhar'));
      await acts.press(page.getByRole('menuitem', { name: 'Tornar pública e copiar o endereço' }));
      return acts.endsWith(page.getByText('Categoria pública, e o endereço está copiado'));
    },
  },
  {
    name: 'share with three people',
    before: 9,
    links: titles(3),
    run: async (acts, page) => {
      await acts.press(button(page, 'Compartilhar'));
      await acts.press(page.getByRole('radio', { name: 'Restrita' }));
      await acts.press(page.getByLabel('Convidar por e-mail'));
      await acts.paste('ana@example.com, bia@example.com, caio@example.com');
      await acts.press(button(page, 'Salvar'));
      return acts.endsWith(page.getByText('Configurações de compartilhamento salvas'));
    },
  },
  {
    name: "import a browser's 300 bookmarks",
    before: 4,
    empty: true,
    run: async (acts, page) => {
      const rows = Array.from({ length: 300 }, (_, n) => `<DT><A HREF="${address(n)}">Artigo ${n}</A>`);
      const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>Leituras</H3><DL>${rows.join('')}</DL></DL>`;
      await acts.press(page.getByRole('link', { name: 'Importar favoritos' }));
      const choosing = page.waitForEvent('filechooser');
      await acts.press(page.getByRole('button', { name: 'Escolher arquivo' }));
      // In the system's own window.
      acts.count += 1;
      await (await choosing).setFiles({
        name: 'favoritos.html',
        mimeType: 'text/html',
        buffer: Buffer.from(file),
      });
      await acts.press(page.getByRole('button', { name: 'Importar 300 links' }));
      return acts.endsWith(page.getByText(/^Importação concluída/));
    },
  },
];

const server = await runServer();
try {
  const browser = await chromium.launch(config.use?.launchOptions);
  process.stdout.write(
    '| daily act | acts before | acts | seconds of the app |\n| --- | ---: | ---: | ---: |\n',
  );
  for (const act of DAILY) {
    const { acts, seconds } = await measure(server, browser, act);
    process.stdout.write(`| ${act.name} | ${act.before} | ${acts} | ${seconds} |\n`);
  }
  await browser.close();
  const { acts, seconds } = await measureExtension(server);
  process.stdout.write(
    `| save the page one reads, by the extension (before: its address copied, the app looked for, pasted) | 5 | ${acts} | ${seconds} |\n`,
  );
} finally {
  await server.remove();
}

/** One press on a page: it is saved, and the card under the button says where. */
async function measureExtension(at: RunningServer): Promise<Measured> {
  await promisify(execFile)(process.execPath, ['scripts/build-extension.mjs'], { cwd: PROJECT_FOLDER });
  const account = await openAccount(at);
  const key = await createKey(at, account, 'links:read links:write');
  const [profile, pages] = await Promise.all([createProfile(), servePages()]);
  const browser = await openExtension(profile);
  try {
    const options = await browser.open('options');
    await options.getByLabel('Endereço da sua Linkoteca').fill(at.url);
    await options.getByRole('button', { name: 'Continuar' }).click();
    await options.getByLabel('Chave pessoal').fill(key.token);
    await options.getByRole('button', { name: 'Entrar com uma chave pessoal' }).click();
    await expect(options.getByRole('heading', { name: /^Conectada a/ })).toBeVisible();
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/pao`);
    const acts = new Acts(page);
    acts.count += 1;
    const popup = await browser.press(page);
    return await acts.endsWith(popup.getByRole('heading', { name: 'Salvo em Entrada' }));
  } finally {
    await browser.close();
    pages.stop();
    await profile.remove();
  }
}

async function measure(at: RunningServer, browser: Browser, act: DailyAct): Promise<Measured> {
  const account = await openAccount(at);
  await subscribe(at, account, 'plus');
  const context = await browser.newContext({
    baseURL: at.url,
    locale: 'pt-BR',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  try {
    const page = await context.newPage();
    // Pages of the internet are not ours to measure.
    await page.route('**/functions/v1/link-preview', async (route) => {
      const { url } = route.request().postDataJSON() as { url: string };
      await route.fulfill({ json: { url, title: 'Um artigo', description: 'Sobre ele' } });
    });
    if (act.empty) {
      await signIn(page, account);
    } else {
      const { categoryId } = await fillLibrary(account, { links: act.links ?? [] });
      await fillLibrary(account, { folder: 'Casa', category: 'Arquivo' });
      await signIn(page, account, `/category/${categoryId}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Física' })).toBeVisible();
    }
    return await act.run(new Acts(page), page);
  } finally {
    await context.close();
  }
}
