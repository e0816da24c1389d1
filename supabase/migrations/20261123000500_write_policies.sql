-- Accounts that are closed: by their owner, who has thirty days to come back, or for want of any sign-in. Signing in opens an
-- account again (private.reopen_account); until then nobody acts in its name, not even with a token that has not expired.
create table private.account_closures (
  user_id uuid not null,
  -- Stands for the account in the log below, and means nothing to anybody once the account is gone.
  id uuid not null default gen_random_uuid(),
  reason text not null,
  closed_at timestamptz not null default now(),
  -- Until then a deleted account can be had back. An account at rest is kept.
  purge_after timestamptz,
  purge_started_at timestamptz,
  reopened_at timestamptz,
  -- The person has not been told yet that the account is open again.
  is_notice_due boolean not null default false,
  constraint account_closures_pkey primary key (user_id),
  constraint account_closures_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint account_closures_reason_known check (reason in ('deletion', 'inactivity')),
  constraint account_closures_purge_is_of_deletion check ((reason = 'deletion') = (purge_after is not null))
);
create index account_closures_due on private.account_closures (purge_after) where reopened_at is null;

-- What happened to accounts, without a word of whose they were.
create table private.account_events (
  id bigint generated always as identity,
  happened_at timestamptz not null default now(),
  event text not null,
  closure_id uuid not null,
  constraint account_events_pkey primary key (id),
  constraint account_events_event_known check (event in ('deleted', 'suspended', 'reopened', 'purge_started', 'purged'))
);

alter table private.account_closures enable row level security;
alter table private.account_events enable row level security;
revoke all on private.account_closures, private.account_events from public, anon, authenticated, service_role;

-- May the caller's token act? An access token lives on for up to an hour after its session was ended, and after its account was
-- closed, banned or deleted: it reads nothing and writes nothing any more. Tokens from before an account was opened again stay ended.
--
-- Asked once a statement, so it is one query by primary keys, in PL/pgSQL, which keeps its plan. Parsing the claims would cost more
-- than that: a server that has read them already says who asks in settings of their own, as auth.uid() knows them; elsewhere the
-- claims are parsed. A token that names no session was signed by an operator and is good for whomever it names; a session goes with
-- its account.
create function private.is_account_open() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), auth.jwt() ->> 'sub');
  session uuid := nullif(current_setting('request.jwt.claim.session_id', true), '');
  claimed text;
begin
  if session is null then
    claimed := nullif(auth.jwt() ->> 'session_id', '');
    session := case
      when claimed ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then claimed
      -- No session has an id like this, or that one.
      when claimed is not null then '00000000-0000-0000-0000-000000000000'
    end;
  end if;
  return caller is null or (session is null or exists (
    select from auth.sessions s
    where s.id = session and s.user_id = caller and (s.not_after is null or s.not_after > now())
  )) and not exists (
    select from auth.users u where u.id = caller and (u.deleted_at is not null or u.banned_until > now())
  ) and not exists (
    select from private.account_closures c
    where c.user_id = caller and (
      c.reopened_at is null or coalesce((auth.jwt() ->> 'iat')::numeric, 0) < floor(extract(epoch from c.reopened_at))
    )
  );
end
$$;
comment on function private.is_account_open() is 'realtime: reads private.account_closures';

-- The caller, while the account is open; null like a visitor otherwise. For functions that run with their owner's rights, which
-- policies do not hold back.
create function private.caller_id() returns uuid
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return case when private.is_account_open() then auth.uid() end;
end
$$;

-- A server with open channels asks again and again about all who listen. Asking is_account_open for each would take it a second
-- for ten thousand; this sifts out, in one pass, the few that are worth asking about: the places in the lists, from 1 on, of tokens
-- that may not be good any more. Whatever ends a token shows here. A token without a session has null in its place.
create function private.sift_tokens(user_ids uuid[], session_ids uuid[]) returns setof bigint
  language sql stable
  security definer
  set search_path = ''
as $$
  select t.place
  from unnest(user_ids, session_ids) with ordinality as t(user_id, session_id, place)
  left join auth.sessions s on s.id = t.session_id and s.user_id = t.user_id
  left join auth.users u on u.id = t.user_id
  left join private.account_closures c on c.user_id = t.user_id
  where t.session_id is not null and (s.id is null or s.not_after <= now())
    or u.deleted_at is not null or u.banned_until > now() or c.user_id is not null
$$;

-- Who reads and writes which rows. Everything about the caller is asked in a sub-select, which runs once a statement, and the
-- owner's branch comes first: an owner never pays for the question who was invited.
--
-- Who sees a row may depend on a list: the categories that were shared with somebody. A server of ours keeps such a list while
-- nothing that it is made from changes, so that it need not be asked for with every change and every listener. What it is made from
-- is said in the function's comment; a function that says nothing is asked each time. Whoever changes one of these functions says
-- anew what it reads.

-- The categories whose list holds the caller's address.
create function private.invited_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(category_id), '{}') from public.shared_with where email = lower(auth.email())
$$;
comment on function private.invited_category_ids() is 'realtime: reads public.shared_with';

-- Those of them whose links the caller's plan opens: on the free plan one alone, the one they chose or else the earliest.
create function private.openable_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(category_id), '{}')
  from (
    select s.category_id
    from public.shared_with s
    where s.email = lower(auth.email())
    order by s.category_id = (select c.category_id from private.chosen_shares c where c.user_id = auth.uid()) desc nulls last,
      s.created_at, s.category_id
    limit coalesce(
      (select coalesce(l.max_received_shares, 2147483647)
       from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = auth.uid()),
      (select max_received_shares from private.plan_limits where plan = 'free')
    )
  ) as openable
$$;
comment on function private.openable_category_ids() is
  'realtime: reads public.shared_with, private.chosen_shares, public.profiles, private.plan_limits';

create function private.own_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(id), '{}') from public.categories where user_id = auth.uid()
$$;
comment on function private.own_category_ids() is 'realtime: reads public.categories';

revoke all on function private.is_account_open(), private.caller_id(), private.sift_tokens(uuid[], uuid[]),
  private.invited_category_ids(), private.openable_category_ids(), private.own_category_ids() from public;
grant execute on function private.is_account_open(), private.sift_tokens(uuid[], uuid[]), private.invited_category_ids(),
  private.openable_category_ids(), private.own_category_ids() to authenticated;

-- The log carries the changes of these tables to the server alone: no screen can listen to this publication.
create publication linkoteca_policy_sources
  for table public.profiles, private.plan_limits, private.account_closures, private.chosen_shares;

-- profiles, subscribers, counters: one's own
create policy profiles_select_own on public.profiles
  for select to authenticated using (id = (select auth.uid()));
create policy profiles_update_own on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));
create policy subscribers_select_own on public.subscribers
  for select to authenticated using (user_id = (select auth.uid()));
create policy library_counts_select_own on public.library_counts
  for select to authenticated using (user_id = (select auth.uid()));
create policy category_counts_select_own on public.category_counts
  for select to authenticated using (user_id = (select auth.uid()));

-- folders
create policy folders_select_own on public.folders
  for select to authenticated using (user_id = (select auth.uid()));
create policy folders_insert_own on public.folders
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy folders_update_own on public.folders
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy folders_delete_own on public.folders
  for delete to authenticated using (user_id = (select auth.uid()));

-- categories
create policy categories_select_own_or_invited on public.categories
  for select to authenticated using (
    user_id = (select auth.uid()) or id = any ((select private.invited_category_ids())::uuid[])
  );
create policy categories_insert_own on public.categories
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy categories_update_own on public.categories
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy categories_delete_own on public.categories
  for delete to authenticated using (user_id = (select auth.uid()));

-- links
-- A case and not an `or`: the planner takes an `or` for a way into the table, thinks it finds next to nothing there, and reads all
-- links of a user to sort out the newest fifty of a category (287 ms of 100,000 links against 0.4 ms). This way it follows the
-- query's own filter, so a query names a category, a user or an id: one that names nothing reads the whole table.
create policy links_select_own_or_opened on public.links
  for select to authenticated using (
    case
      when user_id = (select auth.uid()) then true
      else category_id = any ((select private.openable_category_ids())::uuid[])
    end
  );
create policy links_insert_own on public.links
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy links_update_own on public.links
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy links_delete_own on public.links
  for delete to authenticated using (user_id = (select auth.uid()));

-- shared_with: the owner sees the list, an invited person only the row that names them
create policy shared_with_select_own_or_named on public.shared_with
  for select to authenticated using (
    email = (select lower(auth.email())) or category_id = any ((select private.own_category_ids())::uuid[])
  );
create policy shared_with_insert_own on public.shared_with
  for insert to authenticated with check (category_id = any ((select private.own_category_ids())::uuid[]));
create policy shared_with_delete_own on public.shared_with
  for delete to authenticated using (category_id = any ((select private.own_category_ids())::uuid[]));

-- The token of a closed account is nobody's.
create policy profiles_of_open_account on public.profiles as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy subscribers_of_open_account on public.subscribers as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy library_counts_of_open_account on public.library_counts as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy category_counts_of_open_account on public.category_counts as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy folders_of_open_account on public.folders as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy categories_of_open_account on public.categories as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy links_of_open_account on public.links as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy shared_with_of_open_account on public.shared_with as restrictive
  for all to authenticated using ((select private.is_account_open()));

-- service_role passes by its bypassrls attribute where it has it. An external database whose account may not hand that
-- attribute out needs these.
create policy profiles_service on public.profiles for all to service_role using (true) with check (true);
create policy subscribers_service on public.subscribers for all to service_role using (true) with check (true);
create policy library_counts_service on public.library_counts for select to service_role using (true);
create policy category_counts_service on public.category_counts for select to service_role using (true);
create policy folders_service on public.folders for all to service_role using (true) with check (true);
create policy categories_service on public.categories for all to service_role using (true) with check (true);
create policy links_service on public.links for all to service_role using (true) with check (true);
create policy shared_with_service on public.shared_with for all to service_role using (true) with check (true);
