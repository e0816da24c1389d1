import type { BookmarkLibrary, ExportedCategory, ExportedLink } from './bookmark-file.ts';

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

function writeLink({ url, title, description, createdAt }: ExportedLink): string {
  const anchor = `<A HREF="${escapeText(url)}" ADD_DATE="${seconds(createdAt)}">${escapeText(title)}</A>`;
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
