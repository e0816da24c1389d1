import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import type { Page } from '@playwright/test';
import { fillShowcase } from './screenshot/fill-showcase.ts';
import { createKey } from './support/create-key.ts';
import { type Account, openAccount } from './support/open-account.ts';
import { createProfile, type ExtensionBrowser, openExtension } from './support/open-extension.ts';
import { runServer } from './support/run-server.ts';
import { servePages } from './support/serve-pages.ts';
import { subscribe } from './support/subscribe.ts';

/** The pictures that the stores of browsers show of the extension, 1280 by 800, of the extension as it was last built. `npm run store` runs it. */
const STORE = join(PROJECT_FOLDER, 'apps/extension/dist/store');

const WORDS = {
  'pt-BR': {
    page: ['Como se faz pão de queijo', 'A receita de Minas, passo a passo.'],
    captions: [
      'Um clique, e a página está salva',
      'Sua biblioteca ao lado da página',
      'Só fala com a sua Linkoteca',
    ],
  },
  en: {
    page: ['How to bake pão de queijo', 'The recipe of Minas, step by step.'],
    captions: [
      'One click, and the page is saved',
      'Your library beside the page',
      'Talks to your Linkoteca alone',
    ],
  },
} as const;
type Language = keyof typeof WORDS;

const server = await runServer();
try {
  const account = await openAccount(server);
  await subscribe(server, account, 'pro');
  await fillShowcase(server, account);
  for (const language of Object.keys(WORDS) as Language[]) await takePictures(account, language);
} finally {
  await server.remove();
}

async function takePictures(account: Account, language: Language): Promise<void> {
  const { page: words, captions } = WORDS[language];
  const pages = await servePages({
    '/receita': `<title>${words[0]}</title><meta name="description" content="${words[1]}">`,
  });
  const profile = await createProfile(language);
  const browser = await openExtension(profile);
  try {
    const { token } = await createKey(server, account, 'links:read links:write');
    const options = await browser.open('options');
    await options.getByRole('textbox').fill(server.url);
    await options.keyboard.press('Enter');
    await options.locator('input[type=password]').fill(token);
    await options.keyboard.press('Enter');
    await options.locator('input[type=checkbox]').waitFor();

    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/receita`);
    const popup = await browser.press(page);
    await popup.locator('select').waitFor();
    const panel = await browser.open('panel');
    await panel.setViewportSize({ width: 380, height: 640 });
    await panel.locator('a').first().waitFor();
    await options.setViewportSize({ width: 560, height: 480 });

    const folder = join(STORE, language);
    await mkdir(folder, { recursive: true });
    const shown = [popup.locator('main'), panel, options] as const;
    for (const [index, part] of shown.entries())
      await compose(
        browser,
        join(folder, `picture-${index + 1}.png`),
        captions[index] ?? '',
        await part.screenshot(),
      );
  } finally {
    await browser.close();
    await profile.remove();
    pages.stop();
  }
}

/** Puts a page of the extension beside what there is to say of it. */
async function compose(
  { context }: ExtensionBrowser,
  path: string,
  caption: string,
  part: Buffer,
): Promise<void> {
  const page: Page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; height: 800px; display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 64px;
      padding: 0 96px; box-sizing: border-box; background: #f3f0e9; color: #1b1d22; font: 600 52px/1.15 system-ui, sans-serif; }
    img { border-radius: 12px; box-shadow: 0 2px 4px #0001, 0 16px 48px #0003; }
  </style><h1 style="font: inherit; margin: 0; text-wrap: balance">${caption}</h1>
  <img alt="" src="data:image/png;base64,${part.toString('base64')}">`);
  await page.locator('img').evaluate((image: HTMLImageElement) => image.decode());
  await page.screenshot({ path });
  await page.close();
}
