import { normalizeUrl } from '@linkoteca/domain/urls';
import { Parser } from 'htmlparser2';

/** A link as bookmark files have it. */
export type FileLink = { readonly url: string; readonly title: string; readonly tags: readonly string[] };

export type FilePlace = {
  readonly folder: string;
  readonly category: string;
  readonly links: readonly (FileLink & {
    readonly description: string | null;
    readonly created_at: string;
  })[];
};

/** A bookmark file as browsers read it (Netscape's format), folders and categories as its folders. Pure. */
export function writeBookmarkFile(places: readonly FilePlace[]): string {
  const folders = Map.groupBy(places, ({ folder }) => folder);
  const body = [...folders].map(
    ([folder, categories]) =>
      `<DT><H3>${escapeText(folder)}</H3>\n<DL><p>\n${categories.map(writePlace).join('')}</DL><p>\n`,
  );
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Linkoteca</TITLE>
<H1>Linkoteca</H1>
<DL><p>
${body.join('')}</DL><p>
`;
}

function writePlace({ category, links }: FilePlace): string {
  const lines = links.map(({ url, title, tags, description, created_at: at }) => {
    const date = Math.floor(Date.parse(at) / 1000);
    const named = tags.length === 0 ? '' : ` TAGS="${escapeText(tags.join(','))}"`;
    const text = description === null ? '' : `<DD>${escapeText(description)}\n`;
    return `<DT><A HREF="${escapeText(url)}" ADD_DATE="${date}"${named}>${escapeText(title)}</A>\n${text}`;
  });
  return `<DT><H3>${escapeText(category)}</H3>\n<DL><p>\n${lines.join('')}</DL><p>\n`;
}

/**
 * The web addresses of a bookmark file, or of a text with one in each line; each address once. Others (`javascript:`, `place:`) are left
 * out. Pure.
 */
export function readBookmarkFile(text: string): readonly FileLink[] {
  const found = /<a\s/i.test(text) ? readHtml(text) : readLines(text);
  const links = new Map<string, FileLink>();
  for (const { url, title, tags } of found) {
    const address = normalizeUrl(url);
    if (address !== null && !links.has(address)) links.set(address, { url: address, title, tags });
  }
  return [...links.values()];
}

function readLines(text: string): readonly FileLink[] {
  return text.split(/\r?\n/).map((line) => ({ url: line.trim(), title: '', tags: [] }));
}

function readHtml(text: string): readonly FileLink[] {
  const links: FileLink[] = [];
  let open: { readonly url: string; readonly tags: readonly string[]; title: string } | undefined;
  const parser = new Parser({
    onopentag(name, { href = '', tags = '' }) {
      if (name === 'a')
        open = { url: href, title: '', tags: tags.split(',').filter((tag) => tag.trim() !== '') };
    },
    ontext(part) {
      if (open) open.title += part;
    },
    onclosetag(name) {
      if (name !== 'a' || !open) return;
      links.push(open);
      open = undefined;
    },
  });
  parser.end(text);
  return links;
}

function escapeText(text: string): string {
  const ENTITIES: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}
