/** One link as a bookmark file has it, before anything is judged. */
export interface FileLink {
  /** Names of the folders around it, the outermost first. */
  readonly path: readonly string[];
  readonly url: string;
  readonly title: string;
  readonly description: string;
  /** Names as they are kept, at most as many as a link may have. */
  readonly tags: readonly string[];
  /** Milliseconds since 1970; null when the file does not say. */
  readonly addedAt: number | null;
}

export interface FileFolder {
  readonly path: readonly string[];
  readonly description: string;
}

/** What a bookmark file holds, whatever its format; folders and links in the order of the file. */
export interface BookmarkFile {
  readonly folders: readonly FileFolder[];
  readonly links: readonly FileLink[];
}

/** A library to be written into a file, in the order of the screen. */
export interface BookmarkLibrary {
  readonly folders: readonly ExportedFolder[];
}

export interface ExportedFolder {
  readonly name: string;
  readonly createdAt: string;
  readonly categories: readonly ExportedCategory[];
}

export interface ExportedCategory {
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly links: readonly ExportedLink[];
}

export interface ExportedLink {
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
}

export const EXPORT_FORMATS = ['html', 'csv', 'json'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Narrows what came from a form; anything unknown is the one that every browser reads. */
export function readExportFormat(value: string): ExportFormat {
  return EXPORT_FORMATS.find((known) => known === value) ?? 'html';
}

/** Name of the file, by the day where the person is. @param scope of what it holds, null for everything. */
export function nameExportFile(scope: string | null, format: ExportFormat, now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  const shelf = scope
    ?.normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `linkoteca-${shelf || 'favoritos'}-${day.join('-')}.${format}`;
}

const HEAD = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- Arquivo de favoritos da Linkoteca. Pode ser importado em qualquer navegador. -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Favoritos</TITLE>
<H1>Favoritos</H1>
<DL><p>
`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The format that every browser imports: folders within folders, dates in seconds, descriptions as DD. Gives the text in parts. */
export function* writeBookmarkHtml({ folders }: BookmarkLibrary): Generator<string> {
  yield HEAD;
  for (const folder of folders) {
    yield `    <DT><H3 ADD_DATE="${seconds(folder.createdAt)}">${escapeText(folder.name)}</H3>\n    <DL><p>\n`;
    for (const category of folder.categories) yield writeCategory(category);
    yield '    </DL><p>\n';
  }
  yield '</DL><p>\n';
}

function writeCategory({ name, description, createdAt, links }: ExportedCategory): string {
  const lines = [
    `        <DT><H3 ADD_DATE="${seconds(createdAt)}">${escapeText(name)}</H3>\n`,
    writeDescription('        ', description),
    '        <DL><p>\n',
    ...links.map(writeLink),
    '        </DL><p>\n',
  ];
  return lines.join('');
}

function writeLink({ url, title, description, tags, createdAt }: ExportedLink): string {
  const marks = tags.length > 0 ? ` TAGS="${escapeText(tags.join(','))}"` : '';
  const anchor = `<A HREF="${escapeText(url)}" ADD_DATE="${seconds(createdAt)}"${marks}>${escapeText(title)}</A>`;
  return `            <DT>${anchor}\n${writeDescription('            ', description)}`;
}

function writeDescription(indent: string, description: string | null): string {
  return description === null ? '' : `${indent}<DD>${escapeText(description)}\n`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function seconds(createdAt: string): number {
  return Math.floor(Date.parse(createdAt) / 1000) || 0;
}

/** What the file says it is. A change that old readers would misread is a new version. */
const BOOKMARK_JSON = { formato: 'linkoteca-favoritos', versao: 1 } as const;

/** The library as JSON, folders within it. Gives the text in parts, a category each. */
export function* writeBookmarkJson({ folders }: BookmarkLibrary): Generator<string> {
  yield `${JSON.stringify(BOOKMARK_JSON).slice(0, -1)},"pastas":[`;
  for (const [index, folder] of folders.entries()) {
    yield `${index === 0 ? '' : ','}\n{"nome":${JSON.stringify(folder.name)},"criadaEm":${JSON.stringify(folder.createdAt)},"categorias":[`;
    for (const [place, { name, description, createdAt, links }] of folder.categories.entries()) {
      const category = {
        nome: name,
        descricao: description,
        criadaEm: createdAt,
        links: links.map((link) => ({
          titulo: link.title,
          endereco: link.url,
          descricao: link.description,
          tags: link.tags,
          criadoEm: link.createdAt,
        })),
      };
      yield `${place === 0 ? '' : ','}\n${JSON.stringify(category)}`;
    }
    yield ']}';
  }
  yield '\n]}\n';
}
