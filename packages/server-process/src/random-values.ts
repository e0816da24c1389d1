import type { Draw } from './create-draw.ts';

/** What the requests speak of, so that some of them reach what exists. */
export type KnownThings = {
  readonly anonKey: string;
  readonly accessTokens: readonly string[];
  readonly userIds: readonly string[];
  readonly categoryIds: readonly string[];
};

/** Words between blanks, as a list. */
export function listWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export const TABLES = listWords(`
  folders categories links shared_with profiles subscribers library_counts category_counts nada
  storage.objects`).concat('');

export const COLUMNS = listWords(`
  id name title url description user_id folder_id category_id is_public created_at updated_at email plan
  link_count nope * tableoid ctid`);

export const OPERATORS = listWords(`
  eq neq gt gte lt lte like ilike match imatch is isdistinct in cs cd ov sl sr nxl nxr adj fts plfts phfts
  wfts xx not.eq not.in eq(any) like(all) fts(portuguese) fts(nada)`);

export const CALLS = listWords(`
  search_links find_links_by_url delete_links move_links undo_deletion shared_category shared_folder shared_links
  save_sharing import_library preview_import undo_import last_import list_devices end_device
  queue_share_notifications copy_shared_category get_all_profiles get_all_user_emails is_admin
  admin_list_users claim_share_notifications apply_subscription nada`);

export const ARGUMENTS = listWords(`
  term max_results category_id before before_id ids urls target_category_id kind emails is_public id
  folder_id part import_id total library session_id`);

export const NASTY = [
  ...listWords(`
    0 -1 1e999 NaN null true 99999999999999999999 1970-01-01 -infinity infinity 294276-12-31 ' " % %00 😀 ação ( )
    (((((((( { } {a,b} [1] , . * ** $1 -- /* ../.. javascript:alert(1) https://exemplo.com.br/ x@exemplo.com.br
    00000000-0000-0000-0000-000000000000 {"a":1} ١٢ <script> (a*)*b`),
  ...[
    '',
    ' ',
    '\\',
    '\\1',
    '\u0000',
    '\ud800',
    '\u202e',
    '4714-11-24 BC',
    '; select 1',
    'application/pdf;, text/html',
  ],
  'a'.repeat(300),
  '%'.repeat(120),
];

const SCALARS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  2 ** 53,
  [],
  {},
  [[]],
  { a: { b: [] } },
];

export function text(draw: Draw, known: KnownThings): string {
  if (draw.chance(25)) return draw.one([...known.userIds, ...known.categoryIds]);
  return draw.chance(80)
    ? draw.one(NASTY)
    : draw.many(40, () => String.fromCharCode(draw.number(draw.chance(80) ? 128 : 65_536))).join('');
}

export function json(draw: Draw, known: KnownThings, depth = 0): unknown {
  if (depth > 4 || draw.chance(45)) return draw.chance(60) ? text(draw, known) : draw.one(SCALARS);
  if (draw.chance(40)) return draw.many(6, () => json(draw, known, depth + 1));
  return fields(
    draw,
    known,
    draw.one([COLUMNS, ARGUMENTS, ['email', 'password', 'data', 'token', 'type']]),
    depth + 1,
  );
}

export function fields(
  draw: Draw,
  known: KnownThings,
  names: readonly string[],
  depth = 0,
): Record<string, unknown> {
  return Object.fromEntries(draw.many(7, () => [draw.one(names), json(draw, known, depth + 1)]));
}
