import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';
import { chromium, type Worker } from '@playwright/test';

const BUILT = join(PROJECT_FOLDER, 'apps/extension/dist/chromium');
/** A whole browser: the headless shell has no extensions. */
const BROWSER = process.env['WHOLE_CHROMIUM_PATH'] || '/usr/bin/chromium';

export type Extension = {
  /** Where the extension works when no page of its own is open. */
  readonly background: Worker;
  close(): Promise<void>;
};

/**
 * A browser with the extension as it is built, allowed to reach this machine.
 * @throws Error where it is not built.
 */
export async function openExtension(): Promise<Extension> {
  if (!existsSync(BUILT)) throw new Error('build the extension first: node scripts/build-extension.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'linkoteca-extension-'));
  const extension = join(folder, 'extension');
  await cp(BUILT, extension, { recursive: true });
  const file = join(extension, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, host_permissions: ['http://127.0.0.1/*'] }));
  const context = await chromium.launchPersistentContext(join(folder, 'data'), {
    executablePath: BROWSER,
    headless: false,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-background-networking',
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
  const background = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  return {
    background,
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
