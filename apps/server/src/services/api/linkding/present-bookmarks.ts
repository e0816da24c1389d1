import type { Library } from '../../../library/library.ts';
import type { LinkRow } from '../../../library/read-links.ts';
import { numberRows } from './short-ids.ts';

/** Links as linkding's programs read them, with every field that they know. */
export async function presentBookmarks(library: Library, rows: readonly LinkRow[]) {
  const numbers = await numberRows(
    library,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: numbers.get(row.id) ?? 0,
    url: row.url,
    title: row.title,
    description: row.description ?? '',
    // Here a link has one text of its own.
    notes: '',
    web_archive_snapshot_url: '',
    favicon_url: null,
    preview_image_url: null,
    is_archived: false,
    unread: false,
    // Categories are shared here, not links.
    shared: false,
    tag_names: row.tags,
    date_added: row.created_at,
    date_modified: row.updated_at,
    website_title: null,
    website_description: null,
  }));
}

export type Listed = {
  /** Without its query. */
  readonly address: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly offset: number;
  readonly limit: number;
  /** How many there are in all. */
  readonly count: number;
  readonly results: readonly object[];
};

/** A page of a list, as Django's REST framework puts it: with the addresses of those beside it. Pure. */
export function presentList({ address, query, offset, limit, count, results }: Listed) {
  const at = (place: number) => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const parameters = new URLSearchParams(given);
    parameters.set('limit', String(limit));
    parameters.set('offset', String(place));
    return `${address}?${parameters}`;
  };
  const end = offset + results.length;
  return {
    count: Math.max(count, end),
    next: results.length > 0 && end < count ? at(end) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results,
  };
}
