import type { Transaction } from '../../../kernel/database.ts';
import { HIGHEST, planWalk, renderWalk } from './list-entries.ts';
import type { StoredObject } from './objects.ts';

export const PAGE_SORT_COLUMNS = ['name', 'updated_at', 'created_at'] as const;

export type PageWish = {
  readonly bucket: string;
  readonly prefix: string;
  /** Whether what lies behind the next slash is gathered as a folder. */
  readonly byFolder: boolean;
  readonly column: (typeof PAGE_SORT_COLUMNS)[number];
  readonly order: 'asc' | 'desc';
  readonly after: PageCursor | undefined;
  readonly limit: number;
};

/** `name` is the whole path, with a slash at the end of a folder's. */
export type PageEntry = Pick<
  StoredObject,
  'name' | 'updated_at' | 'created_at' | 'last_accessed_at' | 'metadata'
> & {
  readonly id: string | null;
  /** The time that is sorted by, to the microsecond; empty when sorted by name. */
  readonly sort_value: string;
};

const FILE = 'id, updated_at, created_at, last_accessed_at, metadata';
const IN_PREFIX = `bucket_id = $1 and name collate "C" >= $2 and name collate "C" < $3`;

/** Entries behind a cursor as the transaction's role sees them: one more than asked for, when there is one. */
export async function listPage(tx: Transaction, wish: PageWish): Promise<readonly PageEntry[]> {
  const { bucket, prefix, byFolder, column, order, after, limit } = wish;
  const byTime = column !== 'name';
  const start = order === 'asc' ? prefix : prefix + HIGHEST;
  if (!byTime) await planWalk(tx);
  const { rows } = await tx.query<PageEntry>({
    name: `storage_page_${byFolder ? 'folders' : 'flat'}_${column}_${order}`,
    text: byTime ? renderByTime(wish) : renderByName(wish),
    values: [
      bucket,
      prefix,
      prefix + HIGHEST,
      ...(byTime ? [after?.value ?? null, after?.name ?? ''] : [after ? toBound(after.name, wish) : start]),
      limit + 1,
    ],
  });
  return rows;
}

/** Where to go on behind an entry: past everything in a folder, or past the one name. */
function toBound(name: string, { order, byFolder, prefix }: PageWish): string {
  // A file may be named like a folder: it is gathered as one only where its slash lies behind the prefix.
  const isFolder = byFolder && name.length > prefix.length && name.endsWith('/');
  if (order === 'desc') return name;
  return isFolder ? `${name.slice(0, -1)}0` : `${name}\u0001`;
}

function renderByName({ byFolder, order }: PageWish): string {
  if (byFolder)
    return `${renderWalk(order)}
      select case when is_folder then $2 || entry || '/' else full_name end as name, '' as sort_value,
        case when not is_folder then id end as id, updated_at, created_at, last_accessed_at, metadata
      from walk limit $5`;
  return `select name, '' as sort_value, ${FILE} from storage.objects
    where ${IN_PREFIX} and name collate "C" ${order === 'asc' ? '>=' : '<'} $4
    order by name collate "C" ${order} limit $5`;
}

/** A folder counts with its oldest file. */
function renderByTime({ byFolder, column, order }: PageWish): string {
  const files = `select name, ${FILE} from storage.objects where ${IN_PREFIX}`;
  const isFile = `strpos(substr(name, length($2) + 1), '/') = 0`;
  const entries = byFolder
    ? `${files} and ${isFile} union all
       select $2 || split_part(substr(name, length($2) + 1), '/', 1) || '/', null, min(created_at), min(created_at), null, null
       from storage.objects where ${IN_PREFIX} and not ${isFile} group by 1`
    : files;
  const behind = order === 'asc' ? '>' : '<';
  return `with entries as (${entries})
    select name, ${column}::text as sort_value, ${FILE} from entries
    where $4::timestamptz is null or (${column}, name collate "C") ${behind} ($4::timestamptz, $5 collate "C")
    order by ${column} ${order}, name collate "C" ${order} limit $6`;
}

/** Behind which entry the next page begins. */
type PageCursor = {
  readonly name: string;
  /** The time that is sorted by, as the database writes it; empty when sorted by name. */
  readonly value: string;
};

/** A text that means nothing to the client. */
export function writeCursor(sorting: string, { name, value }: PageCursor): string {
  return Buffer.from(JSON.stringify([sorting, name, value])).toString('base64url');
}

const TIME = /^(?:|\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)*)$/;

/** Undefined for what this service has not written, or has written for another order. */
export function readCursor(sorting: string, text: string): PageCursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== sorting) return undefined;
    const [, name, value] = parts;
    if (typeof name !== 'string' || typeof value !== 'string' || !TIME.test(value)) return undefined;
    return { name, value };
  } catch {
    return undefined;
  }
}
