import { IMPORT_LIMITS } from '@linkoteca/domain/limits';
import { readTagNames, TAG_LIMITS } from '@linkoteca/domain/tags';
import * as v from 'valibot';
import type { BookmarkFile, FileFolder, FileLink } from './bookmark-files.ts';
import { isTable, NoAddressColumn, readBookmarkCsv } from './read-bookmark-csv.ts';
import { readBookmarkHtml } from './read-bookmark-html.ts';
import { readFileDate } from './read-file-date.ts';
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
    if (start.startsWith('<') || (/<(?:dl|dt|a|h[1-3])[\s>]/i.test(start) && !isTable(text)))
      return await readBookmarkHtml(text, onSlice);
    return await readBookmarkCsv(text, onSlice);
  } catch (error) {
    if (error instanceof UnknownJson) throw new UnreadableFile('unknown_format', { cause: error });
    if (error instanceof NoAddressColumn) throw new UnreadableFile('no_address_column', { cause: error });
    throw error;
  }
}

/** Milliseconds of work after which the page gets its turn: half a frame. */
const TURN_MS = 8;

/**
 * Work in slices between which the page answers and paints.
 * @returns called between slices: gives the page its turn when it is due, and ends the work when it was cancelled.
 */
export function takeTurns(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    since = performance.now();
  };
}

/** Far enough to hold what a file says of itself, past any comment. */
const HEAD_BYTES = 4096;

/**
 * The text of a file whose encoding nobody tells: by its byte order mark, as UTF-8 where that is what it is, else as the file says,
 * else as UTF-8 where most of it is, else as Windows-1252, which older browsers and Excel write and which takes any byte.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = readMark(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const declared = readDeclared(bytes);
    const text = new TextDecoder().decode(bytes);
    if (declared === null && isMostlyRead(text)) return text;
    return new TextDecoder(declared ?? 'windows-1252').decode(bytes);
  }
}

/** A character that was cut in half spoils no more than itself. Of another encoding next to nothing can be read as UTF-8. */
function isMostlyRead(text: string): boolean {
  return text.replace(/\p{ASCII}+/gu, '').length > 2 * (text.split('\uFFFD').length - 1);
}

function readMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

function readDeclared(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_BYTES));
  const label = /charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  // Whether it is UTF-8 shows by itself, whatever it says.
  if (label === undefined || /^utf-?8$/i.test(label)) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

const text = v.optional(v.nullable(v.string()), null);
const tags = v.optional(v.array(v.string()), []);
const link = v.object({ titulo: text, endereco: text, descricao: text, criadoEm: text, tags });

/** Our own export: categories within folders, links within categories. */
const exported = v.object({
  formato: v.literal('linkoteca-favoritos'),
  pastas: v.array(
    v.object({
      nome: v.string(),
      categorias: v.array(v.object({ nome: v.string(), descricao: text, links: v.array(link) })),
    }),
  ),
});

/** The copy of everything that every plan may download (docs/account-copy.md). */
const accountCopy = v.object({
  formato: v.literal('linkoteca-copia-da-conta'),
  pastas: v.array(v.object({ id: v.string(), nome: v.string() })),
  categorias: v.array(v.object({ id: v.string(), pastaId: v.string(), nome: v.string(), descricao: text })),
  links: v.array(v.object({ ...link.entries, categoriaId: v.string() })),
});

/** The text is no JSON that we know. */
export class UnknownJson extends Error {
  override readonly name = 'UnknownJson';
}

/** Reads our own export, or the copy of an account. @throws UnknownJson */
export function readBookmarkJson(content: string): BookmarkFile {
  const value = parse(content);
  const ours = v.safeParse(exported, value);
  if (ours.success) return readExport(ours.output);
  const copy = v.safeParse(accountCopy, value);
  if (copy.success) return readCopy(copy.output);
  throw new UnknownJson('neither an export nor a copy of an account');
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw new UnknownJson('no JSON', { cause });
  }
}

function readExport({ pastas }: v.InferOutput<typeof exported>): BookmarkFile {
  const folders: FileFolder[] = [];
  const links: FileLink[] = [];
  for (const { nome, categorias } of pastas) {
    folders.push({ path: [nome], description: '' });
    for (const category of categorias) {
      const path = [nome, category.nome];
      folders.push({ path, description: category.descricao ?? '' });
      for (const one of category.links) links.push(readLink(one, path));
    }
  }
  return { folders, links };
}

/** Rows of a copy stand oldest first; lists show the newest first. */
function readCopy({ pastas, categorias, links }: v.InferOutput<typeof accountCopy>): BookmarkFile {
  const folders = new Map(pastas.map(({ id, nome }) => [id, nome]));
  const paths = new Map(
    categorias.map(({ id, pastaId, nome }) => [id, [folders.get(pastaId) ?? '', nome]] as const),
  );
  return {
    folders: [
      ...pastas.toReversed().map(({ nome }) => ({ path: [nome], description: '' })),
      ...categorias.toReversed().map(({ id, descricao }) => ({
        path: paths.get(id) ?? [],
        description: descricao ?? '',
      })),
    ],
    links: links.toReversed().map((one) => readLink(one, paths.get(one.categoriaId) ?? [])),
  };
}

function readLink(one: v.InferOutput<typeof link>, path: readonly string[]): FileLink {
  return {
    path,
    url: one.endereco ?? '',
    title: one.titulo ?? '',
    description: one.descricao ?? '',
    tags: readTagNames(one.tags).slice(0, TAG_LIMITS.link),
    addedAt: readFileDate(one.criadoEm ?? undefined),
  };
}
