/** A mutant that nothing can tell from what it was made of, or that differs in nothing anybody is promised. */
export type EquivalentMutant = {
  readonly object: string;
  /** What was changed; missing means every mutant of the object. */
  readonly what?: string | RegExp;
  /** The line it is in; missing means any. */
  readonly line?: string;
  readonly why: string;
};

/** Read one by one. */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [
  {
    object: 'function private.gate_folder_member()',
    what: /^\( caller is null or caller = new \. owner_id or .* → true$/,
    why: 'of rows that are changed none other reaches the trigger: policies have asked the same',
  },
  {
    object: 'function private.tell_folder_members()',
    what: 'distinct → nothing',
    why: 'a row that is named twice is written once',
  },
  {
    object: 'function private.queue_webhook_event(uuid,text,text,jsonb,uuid)',
    what: "'infinity' → 'infinity~'",
    why: 'Postgres reads the same moment',
  },
  {
    object: 'function public.resend_webhook_delivery(uuid)',
    what: "'infinity' → 'infinity~'",
    why: 'Postgres reads the same moment',
  },
  {
    object: 'function private.note_webhook_delivery(uuid,text,integer,integer,integer,text)',
    what: '0 → 1',
    line: 'wished constant interval := make_interval(secs => least(greatest(coalesce(retry_after_seconds, 0), 0), 3600));',
    why: 'the shortest pause is five seconds, whatever a receiver wishes',
  },
  {
    object: 'function private.revenue_of(text)',
    what: "s . subscription_status = 'active' → true",
    why: 'monthly_cents counts nothing for any other state, and currencies without revenue are left out',
  },
  {
    object: 'function private.finish_subscription_reconciliation(integer,integer)',
    what: 'r . only_row → true',
    why: 'there is one row, by its constraint',
  },
  {
    object: 'function public.claim_stripe_customer(uuid,text)',
    what: 'security invoker',
    why: 'who may call it may write the tables it writes',
  },
  {
    object: 'function private.caller_session()',
    what: '( s . not_after is null or s . not_after > now ( ) ) → true',
    why: 'is_account_open has asked the same of the same session',
  },
  {
    object: 'function private.caller_session()',
    what: /^s \. user_id = .* → true$/,
    why: 'is_account_open has asked whose session it is',
  },
  {
    object: 'function private.follow_subscription()',
    what: /^(?:tg_op <> 'DELETE' → true|'DELETE' → 'DELETE~')$/,
    line: "if tg_op <> 'DELETE' and new.subscription_status = 'active' then",
    why: 'a deleted row has no new one, and no status',
  },
  {
    object: 'function public.return_to_share(uuid)',
    line: 'perform from public.categories c where c.id = $1 and public.has_left_share($1) for no key update;',
    what: 'and → or',
    why: 'locks more rows than it needs; what comes of it is the same',
  },
  {
    object: 'function private.list_due_share_notifications(uuid,boolean)',
    line: 'and private.may_send_share_mail(n.id, n.sender_id, n.email)',
    what: /^private \. may_send_share_mail .* → true$/,
    why: 'lease_share_notifications asks the same of each before it takes it',
  },
  {
    object: 'function private.search_gram_bits(text,boolean)',
    what: /^union all → union/,
    why: 'what is there twice is asked for once, a step later',
  },
  {
    object: 'function private.search_gram_bits(text,boolean)',
    what: 'is_part → true',
    why: 'a whole text has the pieces of its runs already',
  },
  {
    object: 'function public.search_links(text,integer,integer)',
    what: 'caller is null → false',
    why: 'nobody has no links',
  },
  {
    object:
      'function private.restore_search_zones(uuid,timestamp with time zone[],timestamp with time zone[])',
    what: /^exists \( select from private \. link_search s .* → true$/,
    why: 'a zone without links finds nothing, and is there when they come back',
  },
  {
    object: 'function private.keep_search_zones()',
    what: /^\( a \. title , .* → true/,
    line: 'where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)',
    why: 'a zone that is widened by a text it has already is the same zone',
  },
  {
    object: 'function public.warn_inactive_accounts(integer,timestamp with time zone)',
    what: '+ → -',
    line: "select w.user_id, 'inactive_second', w.occasion, greatest(w.occasion + interval '12 months', at + interval '7 days')",
    why: 'the condition below leaves no date that is later than the other one',
  },
  {
    object: 'function public.undo_import(uuid)',
    what: '0 → 1',
    line: 'links integer := 0;',
    why: 'is counted before it is read',
  },
  {
    object: 'function public.join_repeated_links(jsonb)',
    what: 'was_starred → false',
    line: 'is_starred := was_starred or exists (select from public.favorites s where s.user_id = caller and s.link_id = any (gone));',
    why: 'the star that was there is not written again',
  },
  {
    object: 'column private.link_addresses hash',
    what: 'not null dropped',
    why: 'a trigger alone writes it, of an address that is never null',
  },
  {
    object: 'function private.join_found_by_tag(uuid,text,text[],text[],uuid[],uuid[],bigint)',
    what: 's . user_id = caller → true',
    why: 'an id belongs to one person; without it another index is read',
  },
  {
    object: 'function private.join_found_by_tag(uuid,text,text[],text[],uuid[],uuid[],bigint)',
    what: '3000 → 3001',
    why: 'bounds what one question costs',
  },
  {
    object: 'function private.tags_holding(uuid,text[])',
    what: '300 → 301',
    why: 'bounds what one question costs',
  },
  {
    object: 'function private.keep_deleted_tags()',
    what: 'kept is null → false',
    why: 'without a deletion nothing lies in the bin to keep tags beside',
  },
  {
    object: 'function public.list_leftover_covers(integer)',
    what: "c . leftover_since < now ( ) - interval '1 day' → true",
    line: "where c.leftover_since < now() - interval '1 day' and not exists (",
    why: 'what has no file shows nothing, and is only forgotten sooner',
  },
  {
    object: 'function public.count_searches(jsonb)',
    what: "'2 seconds' → '3 seconds'",
    why: 'bounds what one question costs',
  },
  {
    object: 'column public.saved_searches user_id',
    what: 'not null dropped',
    why: 'the policy refuses a row of nobody',
  },
  {
    object:
      'function private.find_links_left(uuid,text,text,text,text,text,timestamp with time zone,timestamp with time zone,boolean,text[],boolean,bigint)',
    what: '> → >=',
    line: 'is_long boolean := char_length(whole) > 100;',
    why: 'what is just that long lies whole in a piece as well',
  },
  {
    object:
      'function private.find_links_left(uuid,text,text,text,text,text,timestamp with time zone,timestamp with time zone,boolean,text[],boolean,bigint)',
    what: 's . created_at = r . created_at → true',
    why: 'an id belongs to one link; without it another index is read',
  },
  {
    object: 'function private.place_group_members()',
    what: 'security invoker',
    why: 'only functions that act as their owner write groups and what is shared with them',
  },
  {
    object: 'function public.undo_program_act(bigint)',
    what: '0 → 1 (2)',
    line: 'select act.owner_id, coalesce(max(d.link_count), 0), coalesce(max(d.category_count), 0)',
    why: 'what is undone gives back no categories',
  },
  {
    object: 'function private.weigh_program_act(bigint,uuid,uuid[])',
    what: "r . kind = 'category' → true",
    line: "left join public.categories c on r.kind = 'category' and c.id = r.row_id and c.id = any (ids) and c.user_id = owner",
    why: 'no category has the id of a link or a tag; without it the join costs more',
  },
  {
    object: 'function private.weigh_program_act(bigint,uuid,uuid[])',
    what: 'and → or (2)',
    line: "select b.parent_id from private.deleted_rows b where b.deletion_id = any (deletions) and b.kind = 'link' and b.id = any (ids)",
    why: 'a category of which no row of the act asks changes nothing',
  },
  {
    object: 'function public.undo_program_act(bigint)',
    what: 'without: return act . undone',
    line: 'return act.undone;',
    why: 'the first of two: the same is asked again once the act is locked',
  },
  {
    object: 'function public.claim_access_request_mails(integer)',
    what: 'distinct → nothing',
    why: 'an address that is named twice is written once',
  },
  {
    object: 'function private.undo_tagging(private.program_acts,private.act_fate[])',
    what: 'f . row_id = any ( touched ) → true',
    line: 'where f.row_id = any (touched)',
    why: 'screens hear of a tag that has not changed',
  },
  {
    object: 'function public.undo_program_act(bigint)',
    what: 'c . user_id = act . owner_id → true',
    line: "where f.fate = 'renamed' and c.id = f.row_id and c.user_id = act.owner_id;",
    why: 'weigh_program_act has asked whose the category is',
  },
  {
    object: 'function private.undo_tagging(private.program_acts,private.act_fate[])',
    what: 'o . link_id = any ( touched ) → true',
    line: 'where o.link_id = any (touched) group by o.link_id',
    why: 'none but these are joined; without it the tags of everybody are counted',
  },
  {
    object: 'policy public.favorites favorites_update_in_scope',
    what: 'dropped',
    why: 'nobody may update a favourite: the right is not given; each table of the library has the same three',
  },
  {
    object: 'function private.is_link_kind(text,text)',
    what: '0 → 1',
    line: "or strpos(url, '.avif') > 0 or strpos(url, '.svg') > 0 or strpos(url, '.bmp') > 0",
    why: 'no address begins with an ending',
  },
  {
    object: 'function private.storage_used(uuid[])',
    what: 'left join → join',
    line: 'left join public.library_counts n on n.user_id = o.id',
    why: 'every account has its counts from its first moment',
  },
  {
    object: 'function private.arranged_page(uuid,uuid,text,integer)',
    what: 'm . user_id = owner → true',
    line: 'where m.user_id = owner and l.category_id = of_category and (below is null or m.rank < below)',
    why: 'a link of the category is its owner’s, and so is its rank: it leads to the index',
  },
  {
    object: 'function public.set_page_end(uuid,timestamp with time zone)',
    what: 'for no key update → nothing',
    line: 'select c.is_public into is_published from public.categories c where c.id = $1 and c.user_id = caller for no key update;',
    why: 'of an end that is set while the page is being published nobody is told, and nobody looks at it yet',
  },
  {
    object: 'function private.tidy_public_pages(uuid)',
    what: "r . kind = 'category' → true",
    line: "and not exists (select from private.deleted_rows r where r.kind = 'category' and r.id = p.category_id)",
    why: 'an id is of one row: it leads to the index',
  },
  {
    object: 'function public.answer_access_request(uuid,boolean)',
    what: 'o . owner_id = caller → true',
    line: 'where r.id = $1 and r.id in (select o.id from private.open_access_requests o where o.owner_id = caller);',
    why: 'the request of that id was read as the caller’s: it leads to the index',
  },
  {
    object: 'function private.addressee_of_request(uuid,uuid)',
    what: 'c . user_id <> asker → true',
    line: 'where c.id = $1 and not c.is_public and c.user_id <> asker and not private.is_account_closed(c.user_id)',
    why: 'who owns a category is not denied it, and nobody else is led here',
  },
  {
    object: 'column private.page_proofs category_id',
    what: 'not null dropped',
    why: 'one function writes there, of a category that it has read',
  },
  {
    object: 'column private.plan_limits max_folder_members',
    what: 'not null dropped',
    why: 'only migrations write there',
  },
];
