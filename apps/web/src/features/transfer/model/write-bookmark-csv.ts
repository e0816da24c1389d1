import Papa from 'papaparse';
import type { BookmarkLibrary } from './bookmark-files.ts';

/** Semicolons and a byte order mark: Excel in Brazil opens it by a double click, accents and all. */
const FORMAT = {
  delimiter: ';',
  newline: '\r\n',
  header: false,
  // A title such as '=HYPERLINK(…)' is text and no formula; one that has such an apostrophe already gets a second, and keeps its own.
  escapeFormulae: /^'*[=+\-@\t\r]/,
} as const;

const HEADER = ['pasta', 'categoria', 'titulo', 'endereco', 'descricao', 'criado_em', 'tags'];

/** The library as a table, a row a link; a category or folder without links has a row of its own. Gives the text in parts. */
export function* writeBookmarkCsv({ folders }: BookmarkLibrary): Generator<string> {
  yield `\uFEFF${writeRows([HEADER])}`;
  for (const { name, createdAt, categories } of folders) {
    if (categories.length === 0) yield writeRows([[name, '', '', '', '', createdAt, '']]);
    for (const category of categories) {
      const rows = category.links.map((link) => [
        name,
        category.name,
        link.title,
        link.url,
        link.description ?? '',
        link.createdAt,
        link.tags.join(', '),
      ]);
      yield writeRows(rows.length > 0 ? rows : [[name, category.name, '', '', '', category.createdAt, '']]);
    }
  }
}

function writeRows(rows: readonly (readonly string[])[]): string {
  return `${Papa.unparse(rows as string[][], FORMAT)}\r\n`;
}
