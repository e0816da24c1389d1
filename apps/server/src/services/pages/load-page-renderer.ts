import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SharedPageRenderer } from '@linkoteca/domain/sharing';

export type LoadedRenderer = { readonly renderer: SharedPageRenderer; readonly version: string };

/** Loads what the web app's build made for drawing public pages; null where it was not built. */
export async function loadPageRenderer(webFolder: string): Promise<LoadedRenderer | null> {
  const file = join(webFolder, '.server/public-page.mjs');
  if (!existsSync(file)) return null;
  const { renderer } = (await import(pathToFileURL(file).href)) as { renderer: SharedPageRenderer };
  return { renderer, version: createHash('sha256').update(readFileSync(file)).digest('base64url') };
}
