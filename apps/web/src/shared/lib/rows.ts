import type { Database } from '@linkoteca/database-types/database';

type Tables = Database['public']['Tables'];

/** What a column holds; `unread`: the app does without it. */
type Kind = 'text' | 'text or null' | 'boolean' | 'unread';
type KindOf<Value> = null extends Value ? 'text or null' : Value extends boolean ? 'boolean' : 'text';

/** Every column that the database has, as it holds it. */
type Shape<Table extends keyof Tables> = {
  readonly [Column in keyof Tables[Table]['Row']]: KindOf<Tables[Table]['Row'][Column]> | 'unread';
};

/**
 * The rows of a library. The types, the columns that are asked for and the check of what arrives follow from here; a column
 * that the database has and nobody thought of is a type error.
 */
const SHAPES = {
  folders: {
    id: 'text',
    name: 'text',
    user_id: 'text',
    created_at: 'text',
    updated_at: 'text',
    // Kept for old clients: a category is shared, not a folder.
    is_public: 'unread',
    shared_with: 'unread',
  },
  categories: {
    id: 'text',
    name: 'text',
    description: 'text or null',
    folder_id: 'text',
    user_id: 'text',
    is_public: 'boolean',
    created_at: 'text',
    updated_at: 'text',
    // Of the owner, for those they share with: `shared_category` gives it.
    name_users: 'unread',
    // Asked for where a folder is shared, by its owner alone.
    is_held_back: 'unread',
  },
  links: {
    id: 'text',
    title: 'text',
    url: 'text',
    description: 'text or null',
    category_id: 'text',
    user_id: 'text',
    created_at: 'text',
    updated_at: 'text',
    added_by: 'unread',
    // Of whoever added it, where it was not its owner.
    added_by_name: 'text or null',
  },
} as const satisfies { readonly [Table in LibraryTable]: Shape<Table> };

export type LibraryTable = 'folders' | 'categories' | 'links';
type Shapes = typeof SHAPES;

/** A row as the table API gives it. Times are ISO 8601 in UTC. */
export type LibraryRow<Table extends LibraryTable> = {
  readonly [Column in keyof Shapes[Table] as Shapes[Table][Column] extends 'unread'
    ? never
    : Column]: Column extends keyof Tables[Table]['Row'] ? Tables[Table]['Row'][Column] : never;
};

export interface Folder extends LibraryRow<'folders'> {}
export interface Category extends LibraryRow<'categories'> {}
/** A link, with its tags where they were read with it. */
export interface Link extends LibraryRow<'links'> {
  readonly link_tags?: readonly { readonly tag_id: string }[];
  /** Their names, of a link that somebody shares. */
  readonly tag_names?: readonly string[];
}

/** One row of `search_links`. */
export type SearchResult = Pick<Link, 'id' | 'title' | 'description' | 'url' | 'category_id'> & {
  readonly category_name: string | null;
};

/** A link of the search page, with the name of its category. */
export interface FoundLink extends Link {
  readonly category_name: string | null;
}

/** The columns of a table that make a row, as the table API's `select` spells them. */
export function columnsOf(table: LibraryTable): string {
  return listColumns(table).join(',');
}

/** What is asked for where links are shown with their tags. */
export function columnsOfTaggedLinks(): string {
  return `${columnsOf('links')},link_tags(tag_id)`;
}

/**
 * Makes a row of columns that were told one by one, as a change feed does; what the app does not read is left out.
 * @returns null when a column is missing or holds something else.
 */
export function parseRow<Table extends LibraryTable>(
  table: Table,
  told: Readonly<Record<string, unknown>>,
): LibraryRow<Table> | null {
  const shape: Readonly<Record<string, Kind>> = SHAPES[table];
  const entries = listColumns(table).map((column) => [column, told[column] ?? null] as const);
  const isWhole = entries.every(([column, value]) => holds(value, shape[column]));
  return isWhole ? (Object.fromEntries(entries) as LibraryRow<Table>) : null;
}

function listColumns(table: LibraryTable): readonly string[] {
  return Object.entries(SHAPES[table]).flatMap(([column, kind]) => (kind === 'unread' ? [] : [column]));
}

function holds(value: unknown, kind: Kind | undefined): boolean {
  if (kind === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' || (kind === 'text or null' && value === null);
}
