import { Parser } from 'htmlparser2';
import type { BookmarkFile, FileFolder, FileLink } from './bookmark-files.ts';
import { readFileDate } from './read-file-date.ts';
import { readFileTags } from './read-file-tags.ts';

/** UTF-16 units between which the page may get its turn. */
const SLICE = 32_768;
/** Deeper than anybody sorts; hostile files nest without end. */
const DEEPEST = 64;

/** By these the browsers mark their bar and what lies in no folder (Netscape format, as Chromium and Firefox write it). */
const ROOT_MARKS = ['personal_toolbar_folder', 'unfiled_bookmarks_folder'];

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
  /** A browser's own bar or collection, which nobody made: what is in it stands for itself. */
  readonly isRoot: boolean;
  name: string;
  description: string;
}

/** Takes tags and text, in order. `reading` is where text goes: to a heading, a link's title, or the description of what came before. */
function collectBookmarks() {
  const folders: FileFolder[] = [];
  const links: FileLink[] = [];
  /** Where each open list lies, to go back to when it ends. */
  const lists: { readonly path: readonly string[]; readonly root: string | null }[] = [];
  /** Folders that stand for themselves, with the root they were in. */
  const outermost = new Map<string, string | null>();
  let path: readonly string[] = [];
  /** The root that is open. Its own links are in a folder of its name. */
  let root: string | null = null;
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
    lists.push({ path, root });
    if (isFolder) enterFolder(head);
    reading = 'nothing';
  };
  const enterFolder = ({ name: raw, isRoot, description }: Heading) => {
    const name = raw.trim();
    if (isRoot && path.length === 0) {
      path = [name];
      root = name;
      return;
    }
    const leavesRoot = root !== null && path.length === 1;
    path = leavesRoot || path.length === 0 ? [keepApart(name)] : [...path, name];
    root = null;
    folders.push({ path, description });
  };
  /** Of two roots with a folder of the same name, the second one's is named after its root: nothing is joined in silence. */
  const keepApart = (name: string) => {
    const owner = outermost.get(name);
    if (owner === undefined) outermost.set(name, root);
    return owner === undefined || owner === root ? name : `${name} (${root ?? 'outros'})`;
  };
  const closeList = () => {
    closeLink();
    heading = null;
    const before = lists.pop();
    if (before) ({ path, root } = before);
    reading = 'nothing';
  };
  const open = (tag: string, attributes: Attributes) => {
    if (tag === 'dl' || tag === 'ul' || tag === 'ol') openList(tag);
    else if (/^h[1-6]$/.test(tag)) {
      closeLink();
      heading = { tag, isRoot: ROOT_MARKS.some((mark) => mark in attributes), name: '', description: '' };
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
    description: description.trim(),
    tags: readFileTags(attributes['tags'] ?? ''),
    addedAt: readFileDate(attributes['add_date'] ?? attributes['time_added']),
  };
}
