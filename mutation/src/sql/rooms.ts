/** The rooms of the schema: who a mutant of an object belongs to. The first that fits counts. */
const ROOMS: readonly (readonly [string, RegExp])[] = [
  ['rights', /^(?:grant|row security) /],
  ['policies', /^policy /],
  [
    'payments',
    /(?<!un)subscri|stripe|customer|follow_subscription|monthly_cents|revenue_of|measure_payments|find_charged/,
  ],
  [
    'policies',
    /function private\.(?:is_account_open|invited_category_ids|own_category_ids|openable_category_ids|category_access|caller_\w+|is_admin|refuse_identity_change|sift_tokens)|_keep_identity$/,
  ],
  ['access-requests', /access_request|request(?:s|ed)?_access|tell_owner_of_requests|addressee_of_request/],
  ['daily-mails', /daily_mail|shared_news|mail_morning/],
  [
    'page-limits',
    /public_page|page_(?:proof|attempt|end\b|password|limits)|is_page_|has_page_|begin_page|locked_page|request_(?:header|network)/,
  ],
  [
    'groups',
    /(?:^|[ ._])groups?(?:_|\b)|folder_offer|offer_folder|take_folder|hand_over|available_folders|tell_offered|free_folder_name|lock_links_of/,
  ],
  [
    'program-acts',
    /program_act|private\.(?:act_key|sees_change|count_fates|undo_tagging|without)\b|_trace\(|same_fields|note_(?:link_changes|category_updates|link_tags|tags)|tags_note_/,
  ],
  [
    'programs',
    /is_token_good|private\.(?:may|reader|writer|sharer)_|out_of_scope|_in_scope$|is_session_open/,
  ],
  [
    'shared-folders',
    /may_meet|category_people|folder_member|folder_places|folder_share|share_folders|managed_folder|received_folders|shared_folder|held_back|added_by|leave_folder|_folder_ids|_in_folders?\b|folder_place|writable_categor|category_visits|see_category|folder_news/,
  ],
  ['webhooks', /webhook|_events?\b|record_(?:invitations|publications)|_record_/],
  ['feeds', /feed/],
  ['history', /history|category_changes|note_change/],
  ['captures', /inbox|capture_link/],
  ['imports', /import/],
  ['tags', /(?:^|[ ._])tags?(?:_|\b)|tagged/],
  ['covers', /(?:^|[ ._])covers?(?:_|\b)|_covers?\b/],
  ['saved-searches', /saved_search|count_search/],
  ['link-checks', /link_check|broken_links|links_to_check|failing_link/],
  ['repeated-links', /repeated|undo_join|join_descriptions|address_key|link_addresses/],
  // Not the zones of `timestamp with time zone`.
  [
    'search',
    /search|_zones|find_links|meaning|page_of_links|rank_text|_words|_piece|walk_category|scan_categories|received_categories|comparable_url|index_links|links_index/,
  ],
  ['deletions', /delet|undo|restor|forget_rows|take_deleted|_bin(?!a)|give_back|column_defaults/],
  [
    'administration',
    /admin|measure_installation|describe_users|written_since|user_directory|listed|list_user|brasilia_day|installation|get_all_/,
  ],
  [
    'limits',
    /take_places|(?<!ac)count|function private\.(?:most|refuse_beyond|gate_|require_sharing_plan|limit_|storage_used|total_storage_used|stored_files|object_bytes|has_room_for|bound_dates)|_bytes|plan_limits|_gate|_limit|_bound_dates|_weigh_|_length$|_trimmed$/,
  ],
  [
    'accounts',
    /account|profile|device|activity|purge|person|follow_user|name_from_metadata|rounds?\b|_round|shorten_address|inactive|reopening|files_to_purge/,
  ],
  ['sharing', /share|invit|mail|viewer|leav|left|publish|owner_name|told|tell|openable|access/],
  ['limits', /./],
];

/** Every room once. */
export const SQL_ROOMS: readonly string[] = [...new Set(ROOMS.map(([name]) => name))];

/** @param object as `function private.most(text)` or `constraint public.links links_url_length` */
export function roomOf(object: string): string {
  return ROOMS.find(([, pattern]) => pattern.test(object))?.[0] ?? 'limits';
}
