import type { Page } from '@playwright/test';
import { createKey } from './create-key.ts';
import type { Account } from './open-account.ts';
import { createProfile, type ExtensionBrowser, openExtension, type Profile } from './open-extension.ts';
import type { RunningServer } from './run-server.ts';
import { type Pages, servePages } from './serve-pages.ts';
import { test as base, expect } from './test.ts';

export { expect };

/** A sentence about the extension: a browser that has it, and somebody's pages. */
export const test = base.extend<{ profile: Profile; browserWithIt: ExtensionBrowser; pages: Pages }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  profile: async ({}, use) => {
    const profile = await createProfile();
    await use(profile);
    await profile.remove();
  },
  browserWithIt: async ({ profile }, use) => {
    const browser = await openExtension(profile);
    await use(browser);
    await browser.close();
    expect(browser.complaints).toEqual([]);
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  pages: async ({}, use) => {
    const pages = await servePages();
    await use(pages);
    pages.stop();
  },
});

/** Enters where the person's Linkoteca is. @returns the page of options, where they sign in. */
export async function chooseInstallation(browser: ExtensionBrowser, address: string): Promise<Page> {
  const options = await browser.open('options');
  await options.getByLabel('Endereço da sua Linkoteca').fill(address);
  await options.getByRole('button', { name: 'Continuar' }).click();
  return options;
}

/** Enters where it is, and signs in by a personal token that may save. */
export async function connectByKey(
  browser: ExtensionBrowser,
  server: RunningServer,
  account: Account,
): Promise<Page> {
  const { token } = await createKey(server, account, 'links:read links:write');
  const options = await chooseInstallation(browser, server.url);
  await options.getByLabel('Chave pessoal').fill(token);
  await options.getByRole('button', { name: 'Entrar com uma chave pessoal' }).click();
  await expect(options.getByRole('heading', { name: /^Conectada a/ })).toBeVisible();
  return options;
}
