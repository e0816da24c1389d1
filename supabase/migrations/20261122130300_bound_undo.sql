-- What is kept for 'Desfazer' is bounded as well: whoever adds and deletes over and over keeps their last deletion whole, and earlier
-- ones as far as the rows of all behind them are no more than the bound.

alter table private.deletions
  -- How many rows the person has deleted up to and with this deletion: what lies behind a deletion is a difference of two.
  add column rows_until bigint not null default 0;
create index deletions_of_user on private.deletions (user_id, rows_until);

-- As before, carrying the person's running total on: the deletion that the running transaction belongs to, with the counts before
-- its first row went; null when the account itself is on its way out.
create or replace function private.open_deletion(caller uuid, links_gone bigint, categories_gone bigint) returns bigint
  language plpgsql
  set search_path = ''
as $$
declare
  opened bigint;
begin
  insert into private.deletions as d (user_id, transaction_id, deleted_at, link_count, category_count, zones_until, rows_until)
  select n.user_id, pg_current_xact_id(), now(), n.link_count + links_gone, n.category_count + categories_gone,
    coalesce((select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity'),
    coalesce((select max(o.rows_until) from private.deletions o where o.user_id = caller), 0)
  from public.library_counts n where n.user_id = caller
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
create function private.keep_newest_deletions(kept bigint, added bigint) returns void
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
  where d.user_id = person and d.rows_until <= newest - private.most('undo_rows') and d.id <> kept;
end
$$;
revoke all on function private.keep_newest_deletions(bigint, bigint) from public;

-- As before: keeps what people delete of their own; what the platform deletes (an account, say) is gone.
create or replace function private.keep_deleted() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  kept bigint;
  total bigint;
begin
  if caller is null then
    return null;
  end if;
  select count(*) into total from removed where user_id = caller;
  if total = 0 then
    return null;
  end if;
  kept := private.open_deletion(
    caller,
    case tg_table_name when 'links' then total else 0 end,
    case tg_table_name when 'categories' then total else 0 end
  );
  if kept is null then
    return null;
  end if;
  if tg_table_name = 'links' then
    insert into private.deleted_rows (deletion_id, kind, id, parent_id, content)
    select kept, 'link', r.id, r.category_id, to_jsonb(r) from removed r where r.user_id = caller;
  elsif tg_table_name = 'categories' then
    insert into private.deleted_rows (deletion_id, kind, id, parent_id, content)
    select kept, 'category', r.id, r.folder_id, to_jsonb(r) from removed r where r.user_id = caller;
  else
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select kept, 'folder', r.id, to_jsonb(r) from removed r where r.user_id = caller;
  end if;
  perform private.keep_newest_deletions(kept, total);
  -- Twice as many as came in: what has expired becomes less with every deletion.
  perform private.purge_deletions(least(2 * total, 100000)::integer + 100);
  return null;
end
$$;

-- Invitations that went with their category. Those that were taken back one by one are not kept.
create or replace function private.keep_deleted_shares() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select c.deletion_id, 'share', r.category_id, to_jsonb(r)
    from private.deletions d
    join private.deleted_rows c on c.deletion_id = d.id and c.kind = 'category'
    join removed r on r.category_id = c.id
    where d.user_id = auth.uid() and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$$;
