import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { readOwnRows } from '../../../shared/lib/supabase/read-own-rows.ts';
import {
  type BookmarkLibrary,
  type ExportedLink,
  type ExportFormat,
  writeBookmarkHtml,
  writeBookmarkJson,
} from '../model/bookmark-files.ts';

/** Of what: a folder or category by its id, or everything. */
export type ExportScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'folder' | 'category'; readonly id: string };

interface ExportOptions {
  readonly database: DatabaseClient;
  readonly userId: string;
  readonly scope: ExportScope;
  readonly format: ExportFormat;
  readonly signal: AbortSignal;
  /** Told how many links have been read. */
  readonly onProgress: (links: number) => void;
}

interface FolderRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

interface CategoryRow extends FolderRow {
  readonly folder_id: string;
  readonly description: string | null;
}

interface LinkRow {
  readonly id: string;
  readonly category_id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly link_tags: readonly { readonly tags: { readonly name: string } }[];
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  html: 'text/html;charset=utf-8',
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
};

/**
 * Reads the person's own rows, with their own rights, and writes them as a bookmark file, in the order of the screen.
 * @throws what a read throws; AbortError when it was cancelled.
 */
export async function makeExport(options: ExportOptions): Promise<Blob> {
  const write = await loadWriter(options.format);
  const library = await readLibrary(options);
  options.signal.throwIfAborted();
  return new Blob([...write(library)], { type: TYPES[options.format] });
}

/** The library of tables comes when a table is asked for. */
async function loadWriter(format: ExportFormat): Promise<(library: BookmarkLibrary) => Iterable<string>> {
  if (format === 'html') return writeBookmarkHtml;
  if (format === 'json') return writeBookmarkJson;
  return (await import('../model/write-bookmark-csv.ts')).writeBookmarkCsv;
}

async function readLibrary(options: ExportOptions): Promise<BookmarkLibrary> {
  const { scope, database, userId, signal } = options;
  const own = { database, userId, signal };
  const whereCategory =
    scope.kind === 'all'
      ? undefined
      : { column: scope.kind === 'folder' ? 'folder_id' : 'id', value: scope.id };
  const categories = await collect<CategoryRow>(
    readOwnRows({
      ...own,
      table: 'categories',
      columns: 'id, folder_id, name, description, created_at',
      where: whereCategory,
    }),
  );
  const folderId = scope.kind === 'folder' ? scope.id : categories[0]?.folder_id;
  const folders = await collect<FolderRow>(
    readOwnRows({
      ...own,
      table: 'folders',
      columns: 'id, name, created_at',
      where: scope.kind === 'all' ? undefined : { column: 'id', value: folderId ?? scope.id },
    }),
  );
  const links = await readLinks(options, categories);
  return arrangeLibrary(folders, categories, links);
}

/** All of them in one go, or category by category. */
async function readLinks(
  { database, userId, signal, scope, onProgress }: ExportOptions,
  categories: readonly CategoryRow[],
): Promise<readonly LinkRow[]> {
  const links: LinkRow[] = [];
  const places =
    scope.kind === 'all' ? [undefined] : categories.map(({ id }) => ({ column: 'category_id', value: id }));
  for (const where of places) {
    const pages = readOwnRows<LinkRow>({
      database,
      userId,
      signal,
      table: 'links',
      columns: 'id, category_id, url, title, description, created_at, link_tags(tags(name))',
      where,
    });
    for await (const page of pages) {
      signal.throwIfAborted();
      for (const row of page) links.push(row);
      onProgress(links.length);
    }
  }
  return links;
}

/** Rows come oldest first; screens, and so files, show the newest first. */
function arrangeLibrary(
  folders: readonly FolderRow[],
  categories: readonly CategoryRow[],
  links: readonly LinkRow[],
): BookmarkLibrary {
  const linksOf = Map.groupBy(links.toReversed(), ({ category_id }) => category_id);
  const categoriesOf = Map.groupBy(categories.toReversed(), ({ folder_id }) => folder_id);
  return {
    folders: folders.toReversed().map(({ id, name, created_at: createdAt }) => ({
      name,
      createdAt,
      categories: (categoriesOf.get(id) ?? []).map((category) => ({
        name: category.name,
        description: category.description,
        createdAt: category.created_at,
        links: (linksOf.get(category.id) ?? []).map(exportLink),
      })),
    })),
  };
}

function exportLink({ url, title, description, created_at: createdAt, link_tags }: LinkRow): ExportedLink {
  return { url, title, description, createdAt, tags: link_tags.map(({ tags }) => tags.name).toSorted() };
}

async function collect<Row>(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}
