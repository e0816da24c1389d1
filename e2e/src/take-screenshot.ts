import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROJECT_FOLDER, runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { type Browser, chromium } from '@playwright/test';
import config from '../playwright.config.ts';
import { takeSitePictures } from './screenshot/take-site-pictures.ts';
import { shelf, signInByForm } from './support/actions.ts';
import { runServer } from './support/run-server.ts';

/**
 * `npm run screenshot`: the picture of the README, taken of the demonstration account, and those of the front page, all of the
 * app as `npm start` last built it.
 */
const PICTURE = join(PROJECT_FOLDER, 'docs/images/category-light.png');
const SITE_PICTURES = join(PROJECT_FOLDER, 'apps/web/src/drawn-pages/site/pictures');
const FOLDER = 'Cidadania';
const CATEGORY = 'Leis';

const server = await runServer();
try {
  const person = await makeDemoAccount();
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    await mkdir(dirname(PICTURE), { recursive: true });
    await takePicture(browser, person);
    await mkdir(SITE_PICTURES, { recursive: true });
    await takeSitePictures(server, browser, SITE_PICTURES);
  } finally {
    await browser.close();
  }
} finally {
  await server.remove();
}
process.stdout.write(`${PICTURE}\n${SITE_PICTURES}\n`);

/** The account that `npm run demo` prints, in Portuguese. */
async function makeDemoAccount(): Promise<{ email: string; password: string }> {
  const { code, stdout, stderr } = await runProjectCommand('demo', [], {
    DATA_DIR: server.dataFolder,
    PORT: new URL(server.url).port,
    SITE_URL: server.url,
  });
  const email = /e-mail: (\S+)/.exec(stdout)?.[1];
  const password = /senha: (\S+)/.exec(stdout)?.[1];
  if (code !== 0 || email === undefined || password === undefined)
    throw new Error(`npm run demo ended with ${code}: ${stderr}${stdout}`);
  return { email, password };
}

async function takePicture(browser: Browser, person: { email: string; password: string }): Promise<void> {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
  });
  // The icons of foreign sites would make the picture depend on who answers today.
  await context.route(
    (url) => url.origin !== server.url,
    (route) => route.abort(),
  );
  const page = await context.newPage();
  await signInByForm(page, person);
  await shelf(page, FOLDER).click();
  await shelf(page, CATEGORY).click();
  await page.getByRole('article').first().waitFor();
  // A fresh page: the greeting of the sign-in and the pointer are gone.
  await page.reload();
  await page.getByRole('article').first().waitFor();
  // What comes in an idle moment is in the picture as well.
  await page.getByRole('textbox', { name: 'Filtrar os links desta categoria' }).waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: PICTURE, animations: 'disabled' });
}
