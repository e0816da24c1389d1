import type { Database } from '@linkoteca/database-types/database';

type Row = Database['public']['Functions']['list_repeated_links']['Returns'][number];

/** A link that has copies, and where it is. */
export interface RepeatedLink
  extends Readonly<
    Pick<Row, 'id' | 'title' | 'url' | 'description' | 'favorite' | 'created_at' | 'updated_at'>
  > {
  readonly categoryId: string;
  readonly categoryName: string;
  readonly folderName: string;
}

/** The links of one address, the oldest first. */
export interface RepeatedGroup {
  readonly address: string;
  /** With the address, where the next page begins. */
  readonly newest: string;
  /** How many there are: only the oldest are listed. */
  readonly copies: number;
  readonly links: readonly RepeatedLink[];
}

/** A page, and how many addresses there are in all. */
export interface RepeatedPage {
  readonly groups: readonly RepeatedGroup[];
  readonly total: number;
}

/** Rows as the service lists them: those of an address stand together. */
export function readPage(rows: readonly Row[]): RepeatedPage {
  const groups = [...Map.groupBy(rows, ({ address }) => address)].map(
    ([address, copies]): RepeatedGroup => ({
      address,
      newest: copies[0]?.newest ?? '',
      copies: copies[0]?.copy_count ?? 0,
      links: copies.map((row) => ({
        id: row.id,
        title: row.title,
        url: row.url,
        description: row.description,
        favorite: row.favorite,
        created_at: row.created_at,
        updated_at: row.updated_at,
        categoryId: row.category_id,
        categoryName: row.category_name,
        folderName: row.folder_name,
      })),
    }),
  );
  return { groups, total: rows[0]?.address_count ?? 0 };
}

/** An address without what says nothing, as a person reads it. */
export function showAddress(url: string): string {
  return url
    .replace(/^https?:\/\/(www\.)?/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '');
}
