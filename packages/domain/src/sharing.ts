import { foldText } from './fold-text.ts';
import { isUuid } from './uuid.ts';

/** A public category as `shared_category` answers it. Times are ISO 8601. */
export interface SharedCategory {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly owner_name: string | null;
  readonly link_count: number;
  readonly updated_at: string;
}

/** A link as `shared_links` answers it. */
export interface SharedLink {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Names of its owner's tags. */
  readonly tags?: readonly string[];
}

/** One page of a public category: what is drawn, and what the feeds say. */
export interface SharedPage {
  readonly category: SharedCategory;
  /** Newest first, or in the order that their owner gave them. */
  readonly links: readonly SharedLink[];
  /** Whether more links follow these. */
  readonly hasOlder: boolean;
  /** The cursor that this page was asked with; null for the newest links. */
  readonly before: string | null;
}

/** A public folder as `shared_folder` answers it: its public categories, at least one. */
export interface SharedFolder {
  readonly id: string;
  readonly name: string;
  readonly owner_name: string | null;
  readonly categories: readonly Omit<SharedCategory, 'owner_name'>[];
}

/** Where the page after this link begins: its date and its id, since many may have been born at once. */
export function sharedPageCursor({ created_at, id }: Pick<SharedLink, 'created_at' | 'id'>): string {
  return `${created_at},${id}`;
}

export type SharedView = 'cards' | 'list';

/** Where the page stands and whom its script may ask. */
export interface SharedPageSite {
  /** Origin of the site, without a slash at its end. */
  readonly origin: string;
  /** The key of visitors, for the socket that tells of changes. */
  readonly anonKey: string;
}

/** A drawn page, and what its inline scripts and styles are, for the content-security policy. */
export interface SharedPageRenderer {
  renderPage(page: SharedPage, view: SharedView, site: SharedPageSite): string;
  renderFolder(folder: SharedFolder, site: SharedPageSite): string;
  renderEmbed(page: SharedPage, site: SharedPageSite): string;
  /** For frames whose category is gone. */
  renderMissingEmbed(): string;
  /** For the moments in which the database does not answer. */
  renderUnavailable(): string;
  /** The exact content of every inline script and style that the pages carry. */
  readonly inlineScripts: readonly string[];
  readonly inlineStyles: readonly string[];
}

/** 16 bytes in base64url; the last character carries two bits only. */
const SHORT_ID = /(?:^|-)([\w-]{21}[AQgw])$/;
const NOT_A_WORD = /[^a-z0-9]+/g;
/** Longer ones are cut in chats and mails, and say no more. */
const SLUG_LENGTH = 60;

/** What an address needs to know of a category, or of a folder. */
export interface AddressedCategory {
  readonly id: string;
  readonly name: string;
}

/**
 * The readable address of a shared category: `/shared/receitas-da-vovo-` and its id in 22 characters. Only the id counts, so
 * an address survives every renaming; without a letter of the Latin alphabet in its name it is the id alone.
 */
export function sharedPath(category: AddressedCategory): string {
  return `/shared/${toSegment(category)}`;
}

/** The readable address of a public folder: `/shared/pasta/`, and as above. */
export function sharedFolderPath(folder: AddressedCategory): string {
  return `/shared/pasta/${toSegment(folder)}`;
}

function toSegment({ id, name }: AddressedCategory): string {
  const slug = toSlug(name);
  return `${slug === '' ? '' : `${slug}-`}${shortenId(id)}`;
}

/**
 * The category or folder that a segment of an address names, as a UUID in lower case: a readable address, or the id itself.
 * @returns null for what is neither.
 */
export function readSharedId(segment: string): string | null {
  if (isUuid(segment)) return segment.toLowerCase();
  const [, short] = SHORT_ID.exec(segment) ?? [];
  return short === undefined ? null : expandId(short);
}

function toSlug(name: string): string {
  const words = foldText(name).replace(NOT_A_WORD, '-').replace(/^-/, '');
  // Cut between words where one ends; a single endless word is cut where it must be.
  const cut = words.length > SLUG_LENGTH ? words.slice(0, words.lastIndexOf('-', SLUG_LENGTH)) : words;
  return cut.slice(0, SLUG_LENGTH).replace(/-+$/, '');
}

function shortenId(id: string): string {
  const bytes = id.replaceAll('-', '').match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function expandId(short: string): string {
  const bytes = atob(short.replaceAll('-', '+').replaceAll('_', '/'));
  const hex = [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The markup that shows a public category inside another site. Names are escaped for an attribute. */
export function sharedEmbedSnippet(origin: string, category: AddressedCategory): string {
  const title = category.name.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
  const address = `${origin}${sharedPath(category)}/embed`;
  return `<iframe src="${address}" title="${title}" width="100%" height="480" style="border:0" loading="lazy"></iframe>`;
}

/** Who sees a category besides its owner: nobody, whoever has its address, or the people on its list. */
export type SharingMode = 'private' | 'public' | 'restricted';

/** Addresses a category takes at most; the database refuses more. */
export const MAX_INVITED = 100;

/** Public wins: a public category has no list. */
export function sharingModeOf(category: {
  readonly is_public: boolean;
  readonly is_restricted: boolean;
}): SharingMode {
  if (category.is_public) return 'public';
  return category.is_restricted ? 'restricted' : 'private';
}

/** The address that is handed on (specification, section 9): it stays the same whatever the category is called. */
export function sharedLink(origin: string, categoryId: string): string {
  return `${origin}/shared/${categoryId}`;
}

/** Pages of the site itself, drawn when the app is built: the file that holds each one, and its address. */
export const SITE_PAGES = [
  { name: 'front', path: '/' },
  { name: 'terms', path: '/terms' },
  { name: 'privacy-policy', path: '/privacy-policy' },
] as const;

export type SitePageName = (typeof SITE_PAGES)[number]['name'];

/**
 * What differs between installations stands in the built pages as a mark; the server puts the value in its place. A mark
 * is plain text in HTML, in an attribute and in JSON.
 */
export const SITE_PAGE_MARKS = {
  /** Origin of the site, without a slash at its end. */
  origin: '{{origin}}',
  /** The address that people write to. */
  support: '{{support}}',
} as const;

/** What a row of the sidebar adds for screen readers; null for what nobody shares. */
export function describeSharingMark(mode: SharingMode): string | null {
  if (mode === 'private') return null;
  return mode === 'public' ? 'compartilhada por link' : 'compartilhada com e-mails';
}
