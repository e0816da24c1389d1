import { foldText } from '@linkoteca/domain/fold-text';
import { normalizeUrl } from '@linkoteca/domain/urls';
import Papa from 'papaparse';
import type { BookmarkFile, FileFolder, FileLink } from './bookmark-files.ts';
import { readFileDate } from './read-file-date.ts';
import { readFileTags } from './read-file-tags.ts';

const SEPARATORS = [',', ';', '\t', '|'];
/** UTF-16 units between which the page may get its turn. */
const SLICE = 262_144;
/** Excel's own first line, which names the separator. */
const SEPARATOR_LINE = /^sep=.\r?\n/i;

/** What columns are called, without case and accents: here, in Raindrop, Pocket, Instapaper, linkding, and in tables made by hand. */
const COLUMNS = {
  url: ['url', 'endereco', 'link', 'href', 'address', 'site'],
  title: ['titulo', 'title', 'nome', 'name'],
  folder: ['pasta', 'folder', 'collection', 'colecao'],
  category: ['categoria', 'category'],
  description: ['descricao', 'description', 'note', 'nota', 'notes', 'notas', 'comment'],
  excerpt: ['excerpt', 'selection', 'resumo'],
  tags: ['tags', 'etiquetas', 'marcadores', 'labels'],
  words: ['tag_names'],
  date: ['criado_em', 'created', 'created_at', 'data', 'date', 'time_added', 'timestamp'],
} as const;

type Column = keyof typeof COLUMNS;
type Cells = Readonly<Record<Column, string>> & {
  /** Whether the table has a column for categories. */
  readonly hasCategories: boolean;
};
interface TakenRows {
  readonly folders: FileFolder[];
  readonly links: FileLink[];
  /** Paths that stand among the folders. */
  readonly seen: Set<string>;
}

type Places = Partial<Record<Column, number>>;

/** The table has no column of addresses. */
export class NoAddressColumn extends Error {
  override readonly name = 'NoAddressColumn';
}

/**
 * Reads a table of links: with a first row of names, or title, address and folder without one; with commas, semicolons or tabs.
 * @param onSlice awaited between slices, with the share that is read, 0 to 1.
 * @throws NoAddressColumn
 */
export async function readBookmarkCsv(
  text: string,
  onSlice: (share: number) => Promise<void>,
): Promise<BookmarkFile> {
  const taken: TakenRows = { folders: [], links: [], seen: new Set() };
  let places: Places | null = null;
  const take = (row: readonly string[]) => {
    if (places === null) {
      places = readHeader(row);
      if (places !== null) return;
      places = guessColumns(row);
    }
    takeRow(readCells(row, places), taken);
  };
  await forEachRow(text.replace(SEPARATOR_LINE, ''), take, onSlice);
  if (places === null) throw new NoAddressColumn('the table is empty');
  return { folders: taken.folders, links: taken.links };
}

/** Whether the first row names columns or holds an address: then marks of HTML in the table are words. */
export function isTable(text: string): boolean {
  const [row] = Papa.parse<string[]>(text.replace(SEPARATOR_LINE, ''), {
    // Rows that are left out count, too.
    preview: 10,
    skipEmptyLines: 'greedy',
    delimitersToGuess: SEPARATORS,
  }).data;
  return row !== undefined && (readHeader(row) !== null || row.some(isAddress));
}

/** Has the parser stop after each slice until the page has had its turn. */
function forEachRow(
  text: string,
  take: (row: readonly string[]) => void,
  onSlice: (share: number) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      skipEmptyLines: 'greedy',
      // No address holds a tab.
      delimiter: isList(text) ? '\t' : '',
      delimitersToGuess: SEPARATORS,
      chunkSize: SLICE,
      chunk: ({ data, meta }: Papa.ParseResult<string[]>, parser: Papa.Parser) => {
        parser.pause();
        const goOn = async () => {
          for (const row of data) take(row);
          await onSlice(Math.min(1, meta.cursor / text.length));
          parser.resume();
        };
        goOn().catch((error: unknown) => {
          parser.abort();
          reject(error);
        });
      },
      complete: () => resolve(),
      error: reject,
    });
  });
}

/** Whether each line is one address, with or without a column's name above them: what separators stand in them are theirs. */
function isList(text: string): boolean {
  let first = '';
  let separators = SEPARATORS;
  for (const [line] of text.matchAll(/\S[^\r\n]*/g)) {
    const cell = line.trimEnd();
    first ||= cell;
    const isName = cell === first && readHeader([cell]) !== null;
    if (!isName && !/^https?:[^\s"]+$/i.test(cell)) return false;
    // What cuts every line alike, or into words, makes columns: the commas of a single address, too.
    separators = separators.filter((one) => {
      const cells = cell.split(one);
      const isAlike = cells.length === first.split(one).length;
      return cells.length > 1 && (isAlike || /^\p{L}/u.test(cells[1] ?? ''));
    });
  }
  return separators.length === 0;
}

function takeRow(cells: Cells, { folders, links, seen }: TakenRows): void {
  const path = readPath(cells);
  const key = path.join('\u0000');
  if (path.length > 0 && !seen.has(key)) folders.push({ path, description: '' });
  seen.add(key);
  // An empty folder or category of one's own export.
  if (cells.url === '' && cells.title === '') return;
  links.push({
    path,
    url: cells.url,
    title: cells.title,
    description: [cells.description, cells.excerpt].filter(Boolean).join('\n'),
    tags: cells.tags === '' ? readFileTags(cells.words, true) : readFileTags(cells.tags),
    addedAt: readFileDate(cells.date),
  });
}

/** Where there is a column for categories, names are whole; else a folder's may be a path ('Design / Ícones'). */
function readPath({ folder, category, hasCategories }: Cells): readonly string[] {
  if (hasCategories) return [folder, category].filter((name) => name !== '');
  return folder
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function readHeader(row: readonly string[]): Places | null {
  const names = row.map((cell) => foldText(cell.trim()).replace(/\s+/g, '_'));
  const found = Object.entries(COLUMNS).flatMap(([column, known]) => {
    const place = known.map((name) => names.indexOf(name)).find((index) => index >= 0);
    return place === undefined ? [] : [[column, place] as const];
  });
  const places: Places = Object.fromEntries(found);
  // A row that holds an address is no header, whatever else stands in it.
  return places.url === undefined || row.some(isAddress) ? null : places;
}

function guessColumns(row: readonly string[]): Places {
  const url = row.findIndex(isAddress);
  if (url < 0) throw new NoAddressColumn('no column holds addresses');
  const [title, folder] = row.keys().filter((place) => place !== url);
  return { url, ...(title === undefined ? {} : { title }), ...(folder === undefined ? {} : { folder }) };
}

function isAddress(cell: string): boolean {
  return /^https?:/i.test(cell.trim()) && normalizeUrl(cell) !== null;
}

function readCells(row: readonly string[], places: Places): Cells {
  const read = (column: Column) => {
    const place = places[column];
    return place === undefined ? '' : readCell(row[place] ?? '');
  };
  return {
    url: read('url'),
    title: read('title'),
    folder: read('folder'),
    category: read('category'),
    description: read('description'),
    excerpt: read('excerpt'),
    tags: read('tags'),
    words: read('words'),
    date: read('date'),
    hasCategories: places.category !== undefined,
  };
}

/** An apostrophe before what a spreadsheet would run is the spreadsheet's, not the text's (write-bookmark-csv.ts). */
function readCell(cell: string): string {
  return cell.replace(/^'(?='*[=+\-@\t\r])/, '').trim();
}
