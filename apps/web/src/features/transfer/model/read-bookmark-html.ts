import { Parser } from 'htmlparser2';
import type { BookmarkFile, FileFolder, FileLink } from './bookmark-files.ts';
import { joinDescription } from './join-description.ts';
import { readFileDate } from './read-file-date.ts';

/** UTF-16 units between which the page may get its turn. */
const SLICE = 32_768;
/** Deeper than anybody sorts; hostile files nest without end. */
const DEEPEST = 64;

type Attributes = Readonly<Record<string, string>>;

/**
 * Reads the Netscape format, which every browser and bookmark service writes, and the lists that Pocket writes. It is read as
 * a stream of tags, so broken markup costs no more than what is broken, and nothing in it is ever run or fetched.
 * @param onSlice awaited between slices, with the share that is read, 0 to 1.
 */
export async function readBookmarkHtml(
  text: string,
  onSlice: (share: number) => Promise<void>,
): Promise<BookmarkFile> {
  const collector = collectBookmarks();
  const parser = new Parser(collector.handler, { decodeEntities: true, lowerCaseTags: true });
  for (let at = 0; at < text.length; at += SLICE) {
    parser.write(text.slice(at, at + SLICE));
    await onSlice(at / text.length);
  }
  parser.end();
  return collector.close();
}

interface OpenLink {
  readonly attributes: Attributes;
  readonly path: readonly string[];
  title: string;
  description: string;
}

interface Heading {
  readonly tag: string;
  name: string;
  description: string;
}

/** Takes tags and text, in order. `reading` is where text goes: to a heading, a link's title, or the description of what came before. */
function collectBookmarks() {
  const folders: FileFolder[] = [];
  const links: FileLink[] = [];
  /** Lists that are open: how many names of the path are theirs. */
  const lists: number[] = [];
  let path: readonly string[] = [];
  let heading: Heading | null = null;
  let link: OpenLink | null = null;
  let reading: 'nothing' | 'heading' | 'title' | 'description' = 'nothing';

  const closeLink = () => {
    if (link) links.push(readLink(link));
    link = null;
  };
  /** A heading is a folder when its list begins; one without is only a heading. */
  const openList = (tag: string) => {
    closeLink();
    const head = heading;
    heading = null;
    // Before a DL the largest headings are the title of the whole file; Pocket's lists have no others.
    const isFolder = head !== null && !(tag === 'dl' && /^h[12]$/.test(head.tag)) && path.length < DEEPEST;
    if (isFolder) {
      path = [...path, head.name.trim()];
      folders.push({ path, description: head.description });
    }
    lists.push(isFolder ? 1 : 0);
    reading = 'nothing';
  };
  const closeList = () => {
    closeLink();
    heading = null;
    const names = lists.pop() ?? 0;
    if (names > 0) path = path.slice(0, -names);
    reading = 'nothing';
  };
  const open = (tag: string, attributes: Attributes) => {
    if (tag === 'dl' || tag === 'ul' || tag === 'ol') openList(tag);
    else if (/^h[1-6]$/.test(tag)) {
      closeLink();
      heading = { tag, name: '', description: '' };
      reading = 'heading';
    } else if (tag === 'a') {
      closeLink();
      heading = null;
      link = { attributes, path, title: '', description: '' };
      reading = 'title';
    } else if (tag === 'dd') reading = 'description';
    else if (tag === 'dt' || tag === 'li' || tag === 'hr') reading = 'nothing';
    else if (tag === 'br') append('\n');
  };
  const append = (text: string) => {
    if (reading === 'heading' && heading) heading.name += text;
    else if (reading === 'title' && link) link.title += text;
    else if (reading === 'description') {
      const owner = link ?? heading;
      if (owner) owner.description += text;
    }
  };
  const close = (tag: string) => {
    if (tag === 'dl' || tag === 'ul' || tag === 'ol') closeList();
    else if (tag === 'a' || /^h[1-6]$/.test(tag)) reading = 'nothing';
  };
  return {
    handler: { onopentag: open, ontext: append, onclosetag: close },
    close: (): BookmarkFile => {
      closeLink();
      return { folders, links };
    },
  };
}

function readLink({ attributes, path, title, description }: OpenLink): FileLink {
  return {
    path,
    url: attributes['href'] ?? '',
    title,
    description: joinDescription(description, attributes['tags'] ?? ''),
    addedAt: readFileDate(attributes['add_date'] ?? attributes['time_added']),
  };
}
