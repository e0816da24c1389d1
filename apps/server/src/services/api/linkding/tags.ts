import { readTagName, tagKey } from '@linkoteca/domain/tags';
import * as v from 'valibot';
import type { Library } from '../../../library/library.ts';
import { momentText } from '../../../library/read-links.ts';
import { wrongField } from '../operations/links.ts';
import { Problem } from '../problem.ts';
import { readContent } from '../read-input.ts';
import { defineLinkdingRoute, type LinkdingRoute } from './linkding-route.ts';
import { presentList } from './present-bookmarks.ts';
import { readRange } from './read-question.ts';
import { findNumbered, numberRows } from './short-ids.ts';

type TagRow = { readonly id: string; readonly name: string; readonly date_added: string };

const SELECT = `select t.id, t.name, ${momentText('t.created_at')} as date_added from public.tags t
  where t.user_id = (select auth.uid())`;

const list = defineLinkdingRoute('GET', '/tags/', async ({ library, query, address }) => {
  // The extension asks for five thousand, and completes names from what it gets.
  const range = readRange(query, { usual: 100, most: 5_000 });
  const { rows } = await library.read<TagRow>({
    name: 'api_tags_from',
    text: `${SELECT} order by t.folded offset $1 limit $2`,
    values: [range.offset, range.limit],
  });
  const { rows: counted } = await library.read<{ count: number }>({
    name: 'api_count_tags',
    text: 'select count(*)::integer as count from public.tags t where t.user_id = (select auth.uid())',
  });
  const results = await presentTags(library, rows);
  return {
    status: 200,
    body: presentList({ address, query, ...range, count: counted[0]?.count ?? 0, results }),
  };
});

const create = defineLinkdingRoute('POST', '/tags/', async ({ library, body }) => {
  const { name: typed } = readContent(v.object({ name: v.pipe(v.string(), v.maxLength(200)) }), body);
  const name = readTagName(typed);
  const { rows } = await library.read<TagRow>({
    name: 'api_tag_by_name',
    text: `${SELECT} and t.folded = $1`,
    values: [name === null ? '' : tagKey(name)],
  });
  // One that is there is answered, as by linkding; here the first link that has it makes it.
  if (rows.length === 0)
    throw wrongField({ field: 'name', message: 'Aqui uma tag nasce quando um link a recebe' });
  const [tag] = await presentTags(library, rows);
  return { status: 201, body: tag ?? {} };
});

const get = defineLinkdingRoute('GET', '/tags/:id/', async ({ library, id }) => {
  const found = await findNumbered(library, id);
  const { rows } = await library.read<TagRow>({
    name: 'api_tag_by_id',
    text: `${SELECT} and t.id = $1`,
    values: [found ?? null],
  });
  const [tag] = await presentTags(library, rows);
  if (tag === undefined) throw new Problem('not_found');
  return { status: 200, body: tag };
});

async function presentTags(library: Library, rows: readonly TagRow[]) {
  const numbers = await numberRows(
    library,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, name, date_added }) => ({ id: numbers.get(id) ?? 0, name, date_added }));
}

/** What programs ask to show their form as linkding's own would be shown. */
const profile = defineLinkdingRoute('GET', '/user/profile/', async () => ({
  status: 200,
  body: {
    theme: 'auto',
    bookmark_date_display: 'relative',
    bookmark_link_target: '_blank',
    web_archive_integration: 'disabled',
    tag_search: 'lax',
    // Categories are shared here, not links: programs then offer no such choice.
    enable_sharing: false,
    enable_public_sharing: false,
    enable_favicons: false,
    display_url: false,
    permanent_notes: false,
    search_preferences: { sort: 'added_desc', shared: 'off', unread: 'off' },
    // The version whose shape this is.
    version: '1.38.0',
  },
}));

export const OTHER_ROUTES: readonly LinkdingRoute[] = [list, create, get, profile];
