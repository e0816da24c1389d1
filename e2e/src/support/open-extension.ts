import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, type Worker } from '@playwright/test';

/** What `npm test` builds before the browser tests. */
const BUILT = join(import.meta.dirname, '../../../apps/extension/dist/chromium');
/** A whole browser: the headless shell has no extensions. What `npm test` installs where it may (scripts/checks/ensure-chromium.mjs). */
const BROWSER = process.env['WHOLE_CHROMIUM_PATH'] || '/usr/bin/chromium';

/** A browser with the extension in it, on a profile that outlives it. */
export type ExtensionBrowser = {
  readonly context: BrowserContext;
  /** Of the extension, as it is in its own addresses. */
  readonly id: string;
  /** The extension's background. */
  background(): Promise<Worker>;
  /** Opens one of the extension's pages in a tab. */
  open(page: 'popup' | 'options' | 'panel'): Promise<Page>;
  /** Presses the button on a page: opens what opens under it, with that page in front, in a tab of its own, which stays. */
  press(page: Page): Promise<Page>;
  /** Presses the browser's own button, which lets the extension see that one page. What opens under it belongs to the browser's window. */
  pressButton(page: Page): Promise<void>;
  /** Ends it without a word, as a crash does. */
  kill(): Promise<void>;
  /** What its pages and those of the web logged as errors, but for answers that were refused or did not come. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
};

export type Profile = { readonly folder: string; readonly extension: string; remove(): Promise<void> };

/**
 * A profile, and the extension as it is built but for what a person allows in windows of the browser, which nobody can press here: to reach
 * this machine, and to see the tabs. It speaks one language, whatever languages the browser was installed with.
 */
export async function createProfile(language: 'pt-BR' | 'en' = 'pt-BR'): Promise<Profile> {
  if (!existsSync(BUILT)) throw new Error('build the extension first: node scripts/build-extension.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'linkoteca-extension-'));
  const extension = join(folder, 'extension');
  await cp(BUILT, extension, { recursive: true });
  // Of two it would take the browser's own.
  if (language === 'pt-BR') await rm(join(extension, '_locales/en'), { recursive: true });
  const file = join(extension, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { permissions: string[] };
  const allowed = {
    permissions: [...manifest.permissions, 'tabs'],
    host_permissions: ['http://127.0.0.1/*'],
  };
  await writeFile(file, JSON.stringify({ ...manifest, ...allowed }));
  return { folder, extension, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts a browser on a profile. */
export async function openExtension({ folder, extension }: Profile): Promise<ExtensionBrowser> {
  const data = join(folder, 'data');
  const context = await chromium.launchPersistentContext(data, {
    executablePath: BROWSER,
    headless: false,
    locale: 'pt-BR',
    viewport: { width: 1280, height: 800 },
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-background-networking',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      // For `Extensions.triggerAction`, the press of the button.
      '--enable-unsafe-extension-debugging',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
  const complaints: string[] = [];
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  const background = async () => context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const id = new URL((await background()).url()).host;
  const open = async (page: 'popup' | 'options' | 'panel') => {
    const opened = await context.newPage();
    await opened.goto(`chrome-extension://${id}/${page}.html`);
    return opened;
  };
  return {
    context,
    complaints,
    id,
    background,
    open,
    press: async (page) => {
      await page.bringToFront();
      const popup = await open('popup');
      await popup.setViewportSize({ width: 360, height: 600 });
      return popup;
    },
    pressButton: async (page) => {
      await page.bringToFront();
      await triggerAction(context, id, page.url());
    },
    kill: async () => {
      const closed = context.waitForEvent('close');
      // `host-pid`: what keeps a second browser off the profile.
      process.kill(Number(/\d+$/.exec(await readlink(join(data, 'SingletonLock')))?.[0]), 'SIGKILL');
      await closed;
      await rm(join(data, 'SingletonLock'), { force: true });
    },
    close: () => context.close(),
  };
}

/** Presses an extension's button in the window of the tab that shows an address, which grants what a person's press does (`activeTab`). */
async function triggerAction(context: BrowserContext, id: string, address: string): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession();
  if (session === undefined) throw new Error('the browser says nothing of its tabs');
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  const targetId = targetInfos.find(({ url }) => url === address)?.targetId;
  // Not in the protocol's types yet.
  const send = session.send.bind(session) as (method: string, parameters: object) => Promise<unknown>;
  await send('Extensions.triggerAction', { id, targetId });
  await session.detach();
}
