import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { PASSWORD } from './sign-in-as.ts';
import type { RunningServer } from './start-server.ts';

export type Screen = {
  readonly width: number;
  readonly height: number;
};

export const DESK: Screen = { width: 1280, height: 800 };
export const PHONE: Screen = { width: 390, height: 844 };

/** What `npm test` installs where it may (scripts/checks/ensure-chromium.mjs). */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** The browser that measures: the same one as the browser tests use. */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath:
      process.env['CHROMIUM_PATH'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium'),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      // Foreign sites (icons) do not answer: they would be measured too. Intercepting requests would cost more than many of them.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ...more,
    ],
  });
}

/** A window of its own: nothing of the one before is cached. */
export function openWindow(browser: Browser, server: RunningServer, screen: Screen): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: server.url,
    viewport: screen,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
  });
}

/** Makes the processor as many times slower as a cheap phone's. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Signs in through the screens, and waits for the dashboard. */
export async function signInOnScreen(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel(/^e-?mail$/i).fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/dashboard');
}
