import type { BookmarkFile } from '@linkoteca/domain/bookmark-file';
import { IMPORT_LIMITS } from '@linkoteca/domain/import-limits';
import { decodeText } from './decode-text.ts';
import { NoAddressColumn, readBookmarkCsv } from './read-bookmark-csv.ts';
import { readBookmarkHtml } from './read-bookmark-html.ts';
import { readBookmarkJson, UnknownJson } from './read-bookmark-json.ts';
import { takeTurns } from './take-turns.ts';
import { UnreadableFile } from './unreadable-file.ts';

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Told how much is read, 0 to 100. */
  readonly onProgress: (percent: number) => void;
}

/**
 * Reads a bookmark file by what stands in it, not by its name: HTML, JSON or a table. In slices: the page stays alive.
 * @throws UnreadableFile; AbortError when it was cancelled.
 */
export async function readBookmarkFile(
  file: File,
  { signal, onProgress }: ReadOptions,
): Promise<BookmarkFile> {
  if (file.size > IMPORT_LIMITS.fileBytes) throw new UnreadableFile('too_large');
  const text = decodeText(new Uint8Array(await file.arrayBuffer()));
  const takeTurn = takeTurns(signal);
  const onSlice = async (share: number) => {
    onProgress(100 * share);
    await takeTurn();
  };
  const content = await readByFormat(text, onSlice);
  if (content.links.length === 0 && content.folders.length === 0) throw new UnreadableFile('nothing_found');
  return content;
}

async function readByFormat(text: string, onSlice: (share: number) => Promise<void>): Promise<BookmarkFile> {
  const start = text.slice(0, 2000).trimStart();
  // Nothing that people import begins with a zero byte: a picture, a program.
  if (start === '' || start.includes('\u0000')) throw new UnreadableFile('unknown_format');
  try {
    if (/^[{[]/.test(start)) return readBookmarkJson(text);
    if (start.startsWith('<') || /<(?:dl|dt|a|h[1-3])[\s>]/i.test(start))
      return await readBookmarkHtml(text, onSlice);
    return await readBookmarkCsv(text, onSlice);
  } catch (error) {
    if (error instanceof UnknownJson) throw new UnreadableFile('unknown_format', { cause: error });
    if (error instanceof NoAddressColumn) throw new UnreadableFile('no_address_column', { cause: error });
    throw error;
  }
}
