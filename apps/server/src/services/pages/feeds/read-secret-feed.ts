import { nameOwner } from '@linkoteca/domain/messages/public-page-messages';
import type { SharedLink } from '@linkoteca/domain/sharing';
import { asServiceRole, type Database } from '../../../kernel/database.ts';
import { type Library, openLibrary } from '../../../library/library.ts';
import { readSearch, SEARCH_PAGE_SIZE, searchLinks } from '../../../library/search-links.ts';
import { type FeedDescription, fillFeed } from './feeds.ts';

/** A row of `private.find_feed`. */
type FoundFeed = {
  readonly user_id: string;
  readonly owner_name: string | null;
  readonly category_id: string | null;
  readonly search_id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly question: string | null;
  readonly created_at: Date;
};

/** A type of its own: the driver takes no interface. */
type LinkRow = { readonly [Field in keyof SharedLink]: SharedLink[Field] };

const KEY = /^[a-z2-7]{24}$/;
const MOST = 50;
/** The newest are looked for among so many hits of a question, the best of it. */
const HITS = 100;
const LINK = `id, url, title, description, to_json(created_at) #>> '{}' as created_at, to_json(updated_at) #>> '{}' as updated_at`;

/**
 * The newest links of what a secret address is for, read as its owner, as a program would that may read links and nothing else: policies decide.
 * @param origin of the site, without a slash at its end.
 * @returns null for an address that opens nothing.
 * @throws pg.DatabaseError
 */
export async function readSecretFeed(
  db: Database,
  key: string,
  { origin, now }: { readonly origin: string; readonly now: Date },
): Promise<FeedDescription | null> {
  const feed = KEY.test(key) ? await findFeed(db, key) : undefined;
  if (feed === undefined) return null;
  const claims = {
    sub: feed.user_id,
    role: 'authenticated',
    client_id: 'feed',
    scope: 'links:read',
    // An account that was reopened takes no token of before.
    iat: Math.floor(now.getTime() / 1000),
  };
  const library = openLibrary(db, { role: 'authenticated', claims });
  const links =
    feed.category_id === null
      ? await readFound(library, feed.question ?? '')
      : await readCategory(library, feed.category_id);
  const path =
    feed.category_id === null
      ? `/search?q=${encodeURIComponent(feed.question ?? '')}`
      : `/category/${feed.category_id}`;
  return fillFeed(
    {
      id: feed.category_id ?? feed.search_id ?? '',
      title: feed.name,
      description: feed.description ?? '',
      author: nameOwner(feed.owner_name),
      address: `${origin}${path}`,
      base: `${origin}/feed/${key}`,
    },
    feed.created_at.toISOString(),
    links,
  );
}

function findFeed(db: Database, key: string): Promise<FoundFeed | undefined> {
  return asServiceRole(db, 'find a feed by its secret address', async (tx) => {
    const { rows } = await tx.query<FoundFeed>({
      name: 'find_feed',
      text: 'select * from private.find_feed($1)',
      values: [key],
    });
    return rows[0];
  });
}

async function readCategory(library: Library, categoryId: string): Promise<readonly SharedLink[]> {
  const { rows } = await library.read<LinkRow>({
    name: 'feed_of_category',
    text: `select ${LINK} from public.links l where category_id = $1 order by l.created_at desc, l.id desc limit ${MOST}`,
    values: [categoryId],
  });
  return rows;
}

async function readFound(library: Library, text: string): Promise<readonly SharedLink[]> {
  const { question, isEmpty } = readSearch(text);
  if (isEmpty) return [];
  const ids: string[] = [];
  for (let offset = 0; offset < HITS; offset += SEARCH_PAGE_SIZE) {
    const { rows, hasMore } = await searchLinks(library, question, offset);
    ids.push(...rows.map(({ id }) => id));
    if (!hasMore) break;
  }
  const { rows } = await library.read<LinkRow>({
    name: 'feed_of_search',
    text: `select ${LINK} from public.links l where id = any ($1) order by l.created_at desc, l.id desc limit ${MOST}`,
    values: [ids],
  });
  return rows;
}
