-- The bin ('Lixeira'): what people delete is kept for thirty days and can be restored until then. It counts towards no plan; it has a
-- bound of its own, beyond which the oldest goes.

-- Bounds that no person meets and that keep one account from filling an installation: 'sem limite' of a plan means these.
-- Twin of packages/domain/src/limits.ts; a test compares the two. Asked with a constant, the answer is folded into the plan
-- of the statement that asks, so a bound costs no look at a table.
create or replace function private.most(what text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select case what
    when 'folders' then 10000
    when 'folder_emails' then 100
    when 'categories' then 10000
    when 'links' then 1000000
    when 'favorites' then 1000
    when 'invitations' then 10000
    when 'bin_rows' then 100000
    when 'import_parts' then 10000
    when 'files' then 10000
    when 'file_name_bytes' then 1024
    when 'file_note_bytes' then 10000
  end
$$;

alter table private.deletions
  -- It can be restored until then, and goes for good after it. Twin of BIN_DAYS in packages/domain/src/limits.ts.
  add column purge_after timestamptz not null default now() + interval '30 days',
  -- Where it was: the folder of a category, folder and category of a link.
  add column folder_name text,
  add column category_name text;
drop index private.deletions_oldest;
create index deletions_due on private.deletions (purge_after);
create index deletions_newest_of_user on private.deletions (user_id, id);

-- Addresses of other people are in the bin as well: they go from there when their account goes.
create index deleted_rows_of_email on private.deleted_rows ((content ->> 'email')) where kind = 'share';

-- Deletes up to so many rows whose time is over; returns how many. Copies of it never wait for each other. The time of a closed account
-- stands still: whoever comes back finds what they could have restored when they left.
create or replace function private.purge_deletions(at_most integer default 100000) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  purged integer;
begin
  if not exists (select from private.deletions where purge_after <= now()) then
    return 0;
  end if;
  delete from private.deleted_rows where ctid = any (array(
    select r.ctid
    from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
    where d.purge_after <= now() and not private.is_bin_at_rest(d)
    limit at_most for update of r skip locked
  ));
  get diagnostics purged = row_count;
  if purged < at_most then
    delete from private.deletions where ctid = any (array(
      select d.ctid from private.deletions d
      where d.purge_after <= now() and not private.is_bin_at_rest(d)
        and not exists (select from private.deleted_rows r where r.deletion_id = d.id)
      for update skip locked
    ));
  end if;
  return purged;
end
$$;

-- Whether its owner's account was closed before its time was over, and still is.
create function private.is_bin_at_rest(deletion private.deletions) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return exists (
    select from private.account_closures c
    where c.user_id = deletion.user_id and c.reopened_at is null and c.closed_at < deletion.purge_after
  );
end
$$;

-- An account is open again: what was in its bin has as many days left as when it was closed.
create function private.wake_bin() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update private.deletions d set purge_after = d.purge_after + greatest(new.reopened_at - new.closed_at, interval '0')
  where d.user_id = new.user_id and d.purge_after > new.closed_at;
  return null;
end
$$;

create trigger account_closures_wake_bin after update of reopened_at on private.account_closures
  for each row when (old.reopened_at is null and new.reopened_at is not null)
  execute function private.wake_bin();

-- The deletion that the running transaction belongs to, with the counts before its first row went and the names of where that was,
-- carrying the person's running total on; null when the account itself is on its way out.
drop function private.open_deletion(uuid, bigint, bigint);
create function private.open_deletion(
  caller uuid, links_gone bigint, categories_gone bigint, from_folder uuid, from_category uuid
) returns bigint
  language plpgsql
  set search_path = ''
as $$
declare
  opened bigint;
begin
  insert into private.deletions as d (
    user_id, transaction_id, deleted_at, link_count, category_count, zones_until, rows_until, folder_name, category_name
  )
  select n.user_id, pg_current_xact_id(), now(), n.link_count + links_gone, n.category_count + categories_gone,
    coalesce((select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity'),
    coalesce((select max(o.rows_until) from private.deletions o where o.user_id = caller), 0), f.name, c.name
  from public.library_counts n
  left join public.categories c on c.id = from_category
  left join public.folders f on f.id = coalesce(from_folder, c.folder_id)
  where n.user_id = caller
  on conflict (user_id, transaction_id, deleted_at) do update set
    link_count = greatest(d.link_count, excluded.link_count),
    category_count = greatest(d.category_count, excluded.category_count),
    zones_until = greatest(d.zones_until, excluded.zones_until)
  returning d.id into opened;
  return opened;
end
$$;

-- Adds to a deletion's rows and forgets those before it that are too far back. Whoever deletes holds their own counters' row, so one
-- person's deletions come one after the other.
create or replace function private.keep_newest_deletions(kept bigint, added bigint) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
  newest bigint;
begin
  update private.deletions d set rows_until = d.rows_until + added where d.id = kept
  returning d.user_id, d.rows_until into person, newest;
  delete from private.deletions d
  where d.user_id = person and d.rows_until <= newest - private.most('bin_rows') and d.id <> kept;
end
$$;

-- Keeps what people delete of their own; what the platform deletes (an account, say) is gone. Towards the bound of the bin a row counts
-- as one, and as one more for every thousand bytes in it.
create or replace function private.keep_deleted() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  kept bigint;
  total bigint;
  weight bigint;
  place uuid;
begin
  if caller is null then
    return null;
  end if;
  select count(*) into total from removed where user_id = caller;
  if total = 0 then
    return null;
  end if;
  if tg_table_name = 'links' then
    select sum(1 + private.link_bytes(r::public.links) / 1000) into weight from removed r where r.user_id = caller;
    select r.category_id into place from removed r where r.user_id = caller limit 1;
    kept := private.open_deletion(caller, total, 0, null, place);
    insert into private.deleted_rows (deletion_id, kind, id, parent_id, content)
    select kept, 'link', r.id, r.category_id, to_jsonb(r) from removed r where r.user_id = caller and kept is not null;
  elsif tg_table_name = 'categories' then
    select sum(1 + private.category_bytes(r::public.categories) / 1000) into weight from removed r where r.user_id = caller;
    select r.folder_id into place from removed r where r.user_id = caller limit 1;
    kept := private.open_deletion(caller, 0, total, place, null);
    insert into private.deleted_rows (deletion_id, kind, id, parent_id, content)
    select kept, 'category', r.id, r.folder_id, to_jsonb(r) from removed r where r.user_id = caller and kept is not null;
  else
    select sum(1 + private.folder_bytes(r::public.folders) / 1000) into weight from removed r where r.user_id = caller;
    kept := private.open_deletion(caller, 0, 0, null, null);
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select kept, 'folder', r.id, to_jsonb(r) from removed r where r.user_id = caller and kept is not null;
  end if;
  if kept is null then
    return null;
  end if;
  perform private.keep_newest_deletions(kept, weight);
  -- Twice as many as came in: what has expired becomes less with every deletion.
  perform private.purge_deletions(least(2 * total, 100000)::integer + 100);
  return null;
end
$$;

-- Rows that name the account or its address and are held by no foreign key. What others had shared with the address ends too, also
-- where it lies in their bin. Of the mails' addresses it stays only that somebody wants none.
create or replace function private.forget_person(user_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  address text := (select lower(u.email) from auth.users u where u.id = $1);
begin
  delete from public.shared_with s where s.email = address;
  delete from private.deleted_rows r where r.kind = 'share' and r.content ->> 'email' = address;
  delete from private.share_notifications n where n.email = address;
  delete from private.share_mail_addresses a where a.email = address and a.unsubscribed_at is null;
  delete from private.account_mails m where m.user_id = $1;
  delete from private.stripe_events e
  using public.subscribers s where s.user_id = $1 and e.customer = s.stripe_customer_id;
  delete from auth.sessions s where s.user_id = $1;
  delete from auth.identities i where i.user_id = $1;
  delete from auth.one_time_tokens t where t.user_id = $1;
  delete from auth.mfa_factors f where f.user_id = $1;
  delete from auth.flow_state f where f.user_id = $1;
  delete from auth.audit_log_entries a where a.payload ->> 'actor_id' = $1::text;
  update auth.users u
  set email = null, encrypted_password = '', phone = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}',
    email_change = '', deleted_at = now()
  where u.id = $1;
  update public.profiles p set name = null where p.id = $1;
end
$$;

-- Deletes a part of an account that begin_account_purges took, first of its links and then of its bin; true when nothing is left of it.
create or replace function public.purge_account(user_id uuid, max_links integer default 10000) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  closure uuid;
  gone integer;
  most integer := greatest(coalesce(max_links, 10000), 1);
begin
  select c.id into closure from private.account_closures c
  where c.user_id = $1 and c.purge_started_at is not null and c.reopened_at is null for update;
  if not found then
    return not exists (select from auth.users u where u.id = $1);
  end if;
  delete from public.links l where l.ctid = any (array(select k.ctid from public.links k where k.user_id = $1 limit most));
  get diagnostics gone = row_count;
  if gone = 0 then
    delete from private.deleted_rows where ctid = any (array(
      select r.ctid from private.deletions d join private.deleted_rows r on r.deletion_id = d.id where d.user_id = $1 limit most
    ));
    get diagnostics gone = row_count;
  end if;
  if gone > 0 then
    return false;
  end if;
  delete from auth.users u where u.id = $1;
  insert into private.account_events (event, closure_id) values ('purged', closure);
  return true;
end
$$;

revoke all on function private.is_bin_at_rest(private.deletions), private.wake_bin(),
  private.open_deletion(uuid, bigint, bigint, uuid, uuid) from public;
