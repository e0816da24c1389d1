import type { CivilDay } from './search-period.ts';
import type { LinkKind, SearchFilters } from './search-question.ts';

/** What is known of a link where it is compared. */
export interface FilteredLink {
  readonly id: string;
  readonly url: string;
  readonly created_at: string;
  readonly category_id: string;
  readonly link_tags?: readonly { readonly tag_id: string }[];
}

/** Folded names, as far as filters compare them. */
export interface FilteredPlace {
  readonly categoryId: string;
  readonly category: string;
  readonly folder: string;
}

/** What is known of tags where links are compared, folded. */
export interface FilteredTags {
  /** All of the person's. */
  readonly names: readonly string[];
  readonly of: (link: FilteredLink) => readonly string[];
}

const FILES: Readonly<Record<LinkKind, RegExp>> = {
  pdf: /^https?:\/\/[^/?#]+\/[^?#]*\.pdf\/?([?#]|$)/,
  image: /^https?:\/\/[^/?#]+\/[^?#]*\.(jpg|jpeg|png|gif|webp|avif|svg|bmp)\/?([?#]|$)/,
  video: /^https?:\/\/[^/?#]+\/[^?#]*\.(mp4|m4v|webm|mov|mkv|avi)\/?([?#]|$)/,
};

const VIDEO_HOSTS =
  /(^|\.)(youtube\.com|youtube-nocookie\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|tiktok\.com)$/;

/** The twin of `public.search_links_by` in the database, but for the words: which links the operators of a question leave. */
export function createLinkFilter(
  filters: SearchFilters,
  places: readonly FilteredPlace[],
  isFavorite: (linkId: string) => boolean,
  tags: FilteredTags,
): (link: FilteredLink) => boolean {
  const { kind } = filters;
  const site = filters.site === null ? null : readSite(filters.site);
  // What others share is nothing of one's own, and which links are broken the service alone knows.
  if (filters.owner !== null || filters.broken) return () => false;
  const categoryIds = findCategories(filters, places);
  const isTagged = filters.tags.map((wanted) => matchName(tags.names, wanted));
  const before = filters.before === null ? Number.POSITIVE_INFINITY : dayBegins(filters.before).getTime();
  const after = filters.after === null ? Number.NEGATIVE_INFINITY : dayBegins(filters.after).getTime();
  return (link) => {
    const { id, url, created_at, category_id } = link;
    if (categoryIds !== null && !categoryIds.has(category_id)) return false;
    if (site !== null && !`.${hostOf(url)}.`.includes(`.${site}.`)) return false;
    if (kind !== null && !isKind(url, kind)) return false;
    if (filters.untagged && tags.of(link).length > 0) return false;
    if (isTagged.length > 0 && !isTagged.every((isOne) => tags.of(link).some(isOne))) return false;
    const moment = Date.parse(created_at);
    return moment < before && moment >= after && (!filters.favorite || isFavorite(id));
  };
}

/** The categories that are named, or are in folders that are; null where neither is asked for. */
function findCategories(
  { folder, category }: SearchFilters,
  places: readonly FilteredPlace[],
): ReadonlySet<string> | null {
  if (folder === null && category === null) return null;
  const isFolder = matchName(
    places.map((place) => place.folder),
    folder,
  );
  const isCategory = matchName(
    places.map((place) => place.category),
    category,
  );
  return new Set(
    places
      .filter((place) => isFolder(place.folder) && isCategory(place.category))
      .map(({ categoryId }) => categoryId),
  );
}

/** Who writes a whole name means that one; else every name that contains it. */
export function matchName(names: readonly string[], wanted: string | null): (name: string) => boolean {
  if (wanted === null) return () => true;
  return names.includes(wanted) ? (name) => name === wanted : (name) => name.includes(wanted);
}

function hostOf(url: string): string {
  return /^https?:\/\/(?:[^/?#]*@)?([^/?#:]+)/.exec(url.toLowerCase())?.[1] ?? '';
}

function isKind(url: string, kind: LinkKind): boolean {
  const lower = url.toLowerCase();
  return FILES[kind].test(lower) || (kind === 'video' && VIDEO_HOSTS.test(hostOf(url)));
}

/** What `public.search_links_by` is given. Days begin where the viewer is; what is not asked for is left out. */
export function toParameters(filters: SearchFilters) {
  return { ...toCommonParameters(filters), ...toOwnParameters(filters) };
}

/** What `public.search_received_links` is given. In whose folder something lies, and which tags it has, its owner alone sees. */
export function toReceivedParameters(filters: SearchFilters) {
  return { ...toCommonParameters(filters), ...(filters.owner === null ? {} : { owner: filters.owner }) };
}

function toOwnParameters({ folder, tags, untagged, broken }: SearchFilters) {
  return {
    ...(folder === null ? {} : { folder }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(untagged ? { untagged } : {}),
    ...(broken ? { broken } : {}),
  };
}

function toCommonParameters({ site, category, kind, before, after, favorite }: SearchFilters) {
  return {
    ...(site === null ? {} : { site: readSite(site) }),
    ...(category === null ? {} : { category }),
    ...(kind === null ? {} : { kind }),
    ...(before === null ? {} : { saved_before: dayBegins(before).toISOString() }),
    ...(after === null ? {} : { saved_since: dayBegins(after).toISOString() }),
    ...(favorite ? { favorite } : {}),
  };
}

/** The moment at which a day begins where the viewer is. */
function dayBegins(day: CivilDay): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** The host of an address that was pasted, or what was typed of one; a blank, which no host contains, for what is none. */
function readSite(value: string): string {
  const host = value
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/s, '')
    .replace(/:\d*$/, '')
    .replace(/^\.+|\.+$/g, '')
    .replace(/^www\.(?=.)/, '');
  return host === '' || /[\s\\]/.test(host) ? ' ' : host;
}
