import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { shelf, signIn } from '../support/actions.ts';
import { openAccount } from '../support/open-account.ts';
import type { RunningServer } from '../support/run-server.ts';
import { subscribe } from '../support/subscribe.ts';
import { answerIcons } from './answer-icons.ts';
import { fillShowcase } from './fill-showcase.ts';
import { SHOWN } from './showcase.ts';
import { takeSocialPicture } from './take-social-picture.ts';
import { writeWebp } from './write-webp.ts';

/** As wide as the front page shows them; twice as many points, for dense screens. */
const SCREENS = [
  { name: 'desk', viewport: { width: 1088, height: 680 }, quality: 0.82 },
  { name: 'phone', viewport: { width: 390, height: 590 }, quality: 0.7 },
] as const;
const THEMES = ['light', 'dark'] as const;

/** The pictures of the front page and the one that chats show, into `folder`. */
export async function takeSitePictures(
  server: RunningServer,
  browser: Browser,
  folder: string,
): Promise<void> {
  const owner = await openAccount(server, 'Marina Prado');
  await subscribe(server, owner, 'pro');
  await fillShowcase(server, owner);
  for (const { name, viewport, quality } of SCREENS) {
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({
        baseURL: server.url,
        locale: 'pt-BR',
        timezoneId: 'America/Sao_Paulo',
        viewport,
        deviceScaleFactor: 2,
        colorScheme,
        serviceWorkers: 'block',
      });
      await answerIcons(context, server.url);
      const page = await context.newPage();
      await signIn(page, owner);
      await openShown(page, name === 'phone');
      const png = await page.screenshot({ animations: 'disabled' });
      await writeWebp(browser, png, join(folder, `${name}-${colorScheme}.webp`), quality);
      if (name === 'desk' && colorScheme === 'light')
        await takeSocialPicture(browser, server.url, png, join(folder, 'social.png'));
      await context.close();
    }
  }
}

async function openShown(page: Page, isNarrow: boolean): Promise<void> {
  if (isNarrow) await page.getByRole('button', { name: 'Abrir navegação' }).click();
  await shelf(page, SHOWN.folder).click();
  await shelf(page, SHOWN.category).click();
  await page.getByRole('article').first().waitFor();
  // A fresh page: the pointer is gone, and nothing is on its way any more.
  await page.reload();
  await page.getByRole('article').first().waitFor();
  // What comes in an idle moment is in the picture as well.
  await page.getByRole('textbox', { name: 'Filtrar os links desta categoria' }).waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
}
