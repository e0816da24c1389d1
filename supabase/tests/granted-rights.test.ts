import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Role = 'anon' | 'authenticated' | 'service_role';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** Which of these statements Postgres lets the role try, whatever else it says about them. Leaves nothing behind. */
async function listAllowed(role: Role, statements: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const client = await database.admin.connect();
  const allowed: string[] = [];
  try {
    await client.query('begin');
    await client.query(`select set_config('role', $1, true)`, [role]);
    for (const [name, statement] of statements) {
      await client.query('savepoint here');
      const error = await client.query(statement).then(
        () => null,
        (refusal: unknown) => refusal,
      );
      await client.query('rollback to here');
      if (error !== null && !(error instanceof pg.DatabaseError)) throw error;
      if (!isDenied(error, name)) allowed.push(name);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
  return allowed.toSorted();
}

/** Postgres' own refusal of this very thing, not one from within. */
function isDenied(error: pg.DatabaseError | null, name: string): boolean {
  const [, schema = '', object = ''] = /(\w+)\.(\w+)/.exec(name) ?? [];
  return (
    error?.code === '42501' &&
    [`function ${object}`, `table ${object}`, `view ${object}`, `schema ${schema}`].some(
      (denied) => error.message === `permission denied for ${denied}`,
    )
  );
}

async function readStatements(text: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.admin.query<{ name: string; statement: string }>(text);
  return new Map(rows.map(({ name, statement }) => [name, statement]));
}

const CALLS = `
  select distinct on (1) n.nspname || '.' || p.proname as name,
    format('select %I.%I(%s)', n.nspname, p.proname,
      (select string_agg('null::' || format_type(t.type, null), ', ' order by t.place)
       from unnest(p.proargtypes::oid[]) with ordinality t (type, place))) as statement
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('public', 'private') and p.prorettype <> 'trigger'::regtype
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

const FOR_EVERYBODY = [
  'public.category_covers',
  'public.open_locked_page',
  'public.shared_category',
  'public.shared_folder',
  'public.shared_links',
];

/** An administrator's are refused from within to everybody else. */
const FOR_PEOPLE = `
  private.are_share_emails private.asked_cover private.claim_idempotency_key private.has_room_for private.invited_category_ids private.is_account_open private.links_of_address private.note_idempotent_answer private.number_rows private.numbered_row private.openable_category_ids
  private.is_cover_file private.is_session_open private.may_read_links private.may_share private.may_write_links private.managed_folder_ids private.own_category_ids private.received_folder_ids private.sift_tokens private.writable_category_ids private.writable_folder_ids private.written_cover public.admin_audit public.admin_change_plan public.admin_list_users
  public.admin_overview public.admin_statistics public.admin_subscriptions public.admin_user_links public.arranged_links public.category_covers
  public.copy_shared_category public.count_links_by public.count_searches public.join_repeated_links public.list_repeated_links public.undo_join
  public.delete_from_bin public.delete_links public.empty_bin public.end_device public.end_other_devices public.find_links_by_url
  public.get_all_profiles public.get_all_user_emails public.has_left_share public.import_library public.is_admin public.last_import
  public.leave_share public.list_bin public.list_bin_rows public.received_folders public.list_devices public.move_links public.note_cover
  public.open_share public.opened_share public.place_links public.preview_import public.queue_share_notifications public.restore_from_bin
  public.return_to_share public.save_sharing public.search_links public.search_links_by public.search_received_links public.shared_category
  public.shared_links public.suggest_search public.take_reopening_notice public.undo_deletion public.undo_import public.delete_tags
  public.merge_tags public.shared_tags public.tag_links public.undo_tag_change
  public.capture_link public.is_inbox public.open_inbox public.kept_addresses
  public.broken_links public.link_checks public.set_link_checks public.mail_address public.change_mail_address public.give_up_mail_address
  public.allow_mail_sender public.forbid_mail_sender public.allow_any_mail_sender public.list_refused_mails
  public.list_webhooks public.create_webhook public.change_webhook public.rotate_webhook_secret public.delete_webhook
  public.restore_webhook public.send_webhook_test public.list_webhook_deliveries public.resend_webhook_delivery
  public.feed_key public.open_feed public.close_feed public.category_history public.program_act public.undo_program_act
  public.request_access public.has_requested_access public.list_own_access_requests public.list_access_requests public.answer_access_request
  public.set_page_end public.set_page_password public.open_locked_page public.page_limits
  public.list_groups public.save_group public.delete_group public.restore_group public.list_folder_groups public.share_folder_with_group
  public.end_group_share public.offer_folder public.end_folder_offer public.folder_offer public.available_folders public.take_folder
  public.see_category public.folder_news public.category_people private.may_meet public.daily_mail public.set_daily_mail`;

const FOR_THE_SERVER = `
  private.are_share_emails private.claim_subscription_reconciliation private.finish_round
  private.finish_subscription_reconciliation private.measure_installation private.measure_payments private.purge_deletions
  private.purge_idempotency_keys private.purge_short_ids
  public.apply_subscription public.begin_account_mail public.begin_account_purges public.begin_share_notification
  public.begin_subscription_check public.begin_subscription_sync public.claim_account_mails public.claim_account_upkeep
  public.claim_folder_notifications public.claim_share_notifications public.claim_stripe_customer public.close_abandoned_accounts
  public.close_account public.find_account_to_close
  public.find_charged_closed_accounts public.finish_account_mail public.finish_account_upkeep public.finish_share_notification
  public.ignore_stripe_event public.list_files_to_purge public.list_leftover_covers public.list_stale_customers public.purge_account
  public.purge_stripe_events public.record_stripe_event public.search_links public.shared_category public.shared_links
  public.shared_folder public.suspend_inactive_accounts public.unsubscribe_share_mail public.warn_inactive_accounts
  public.are_link_checks_due public.note_link_checks public.take_links_to_check public.receive_mail
  private.claim_webhook_deliveries private.note_webhook_delivery private.purge_webhooks private.find_feed private.purge_category_changes
  private.refresh_search_zones
  public.claim_access_request_mails public.begin_access_request_mail public.finish_access_request_mail
  public.claim_daily_mails public.begin_daily_mail public.finish_daily_mail public.unsubscribe_daily_mail`;

const names = (text: string) => text.trim().split(/\s+/).toSorted();

describe('a function answers', () => {
  test.each<readonly [Role, readonly string[]]>([
    ['anon', FOR_EVERYBODY],
    ['authenticated', names(FOR_PEOPLE)],
    ['service_role', names(FOR_THE_SERVER)],
  ])('%s, where it is theirs to call and nowhere else', async (role, theirs) => {
    expect(await listAllowed(role, await readStatements(CALLS))).toEqual(theirs);
  });
});

/** Reads, deletes and truncates are of whole tables; what may be written goes by columns. */
const TABLE_ACTS = `
  select act.name || ' ' || c.relnamespace::regnamespace || '.' || c.relname as name, act.name || act.rest || c.relnamespace::regnamespace || '.' || c.relname || act.filter as statement
  from pg_class c
  cross join (values ('select', ' from ', ' where false'), ('delete', ' from ', ' where false'), ('truncate', ' ', '')) act (name, rest, filter)
  where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and (c.relkind = 'r' or c.relkind = 'v' and act.name = 'select')`;

const COLUMN_ACTS = `
  select format('insert %s %I', c.relnamespace::regnamespace || '.' || c.relname, a.attname) as name,
    format('insert into %s (%I) values (null)', c.relnamespace::regnamespace || '.' || c.relname, a.attname) as statement
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r' and a.attgenerated = '' and a.attidentity = ''
  union all
  select format('update %s %I', c.relnamespace::regnamespace || '.' || c.relname, a.attname), format('update %s set %I = null where false', c.relnamespace::regnamespace || '.' || c.relname, a.attname)
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r' and a.attgenerated = '' and a.attidentity = ''`;

const LIBRARY = [
  'categories',
  'favorites',
  'folder_members',
  'folders',
  'links',
  'saved_searches',
  'shared_with',
];
const READ = [
  ...LIBRARY,
  'category_counts',
  'folder_looks',
  'inboxes',
  'library_counts',
  'link_tags',
  'manual_order',
  'profiles',
  'subscribers',
  'tags',
];

/** No plan, no count, no moment of creation, and nothing of a subscription. */
const WRITTEN: Readonly<Record<string, string>> = {
  'insert public.categories': 'id name folder_id user_id description is_public is_held_back name_users',
  'insert public.favorites': 'id user_id link_id category_id',
  'insert public.folder_looks': 'folder_id user_id color emoji',
  'insert public.folder_members': 'folder_id email role',
  'insert public.folders': 'id name user_id is_public shared_with',
  'insert public.links': 'id url title description category_id user_id added_by added_by_name',
  'insert public.saved_searches': 'id user_id name question',
  'insert public.shared_with': 'category_id email',
  'update public.categories':
    'id name folder_id user_id description is_public is_held_back name_users updated_at',
  'update public.folder_looks': 'folder_id user_id color emoji',
  'update public.folder_members': 'role',
  'update public.folders': 'id name user_id is_public shared_with updated_at',
  'update public.links': 'id url title description category_id user_id updated_at added_by added_by_name',
  'update public.profiles': 'name updated_at',
  'update public.saved_searches': 'name',
  'update public.tags': 'name color',
};

describe('tables', () => {
  test('are nothing to a visitor', async () => {
    expect(await listAllowed('anon', await readStatements(TABLE_ACTS))).toEqual([]);
    expect(await listAllowed('anon', await readStatements(COLUMN_ACTS))).toEqual([]);
  });

  test('are read and emptied by people where rows have owners, and never truncated', async () => {
    expect(await listAllowed('authenticated', await readStatements(TABLE_ACTS))).toEqual(
      [
        ...READ.map((table) => `select public.${table}`),
        ...LIBRARY.map((table) => `delete public.${table}`),
      ].toSorted(),
    );
  });

  test('are written by people in the columns that are theirs', async () => {
    const theirs = Object.entries(WRITTEN).flatMap(([act, columns]) =>
      columns.split(' ').map((column) => `${act} ${column}`),
    );
    expect(await listAllowed('authenticated', await readStatements(COLUMN_ACTS))).toEqual(theirs.toSorted());
  });
});
