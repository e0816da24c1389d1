-- Bulk delete and bulk move: one call, one transaction, all or nothing. They run with the caller's own rights, so the policies
-- decide, and the ids of others' links count for nothing. The ids travel in the body: twenty thousand fit no address.

create function public.delete_links(link_ids uuid[]) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  gone integer;
begin
  if coalesce(cardinality(link_ids), 0) = 0 then
    raise exception using errcode = 'PT400', message = 'Nenhum link para excluir';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  delete from public.links where id = any (link_ids);
  get diagnostics gone = row_count;
  return gone;
end
$$;

-- Links that are in the category already stay untouched and are not counted.
create function public.move_links(link_ids uuid[], target_category_id uuid) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  moved integer;
begin
  if coalesce(cardinality(link_ids), 0) = 0 then
    raise exception using errcode = 'PT400', message = 'Nenhum link para mover';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  -- Somebody else's category answers like one that does not exist.
  if not exists (select from public.categories where id = target_category_id and user_id = auth.uid()) then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  update public.links set category_id = target_category_id
  where id = any (link_ids) and category_id <> target_category_id;
  get diagnostics moved = row_count;
  return moved;
exception when foreign_key_violation then
  -- The category went while the links were on their way.
  raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
end
$$;

-- What people delete is kept for five minutes, so that 'Desfazer' can bring it back. Nobody reads it meanwhile, not even
-- its owner: only undo_deletion takes rows out. What is older than that is deleted for good by whoever deletes or
-- undoes next, a few rows at a time, and by the server on a timer (private.purge_deletions), however quiet the installation.
--
-- It is bounded as well: whoever adds and deletes over and over keeps their last deletion whole, and earlier ones as far as the rows
-- of all behind them are no more than the bound.

-- One row for each transaction in which a person deleted something of theirs.
create table private.deletions (
  id bigint generated always as identity,
  user_id uuid not null,
  transaction_id xid8 not null,
  deleted_at timestamptz not null,
  -- What the person had just before: an undo may restore as much as that even where a plan has become smaller since.
  link_count integer not null,
  category_count integer not null,
  -- How far the person's search zones reached: the text of what is older is in them.
  zones_until timestamptz not null,
  -- How many rows the person has deleted up to and with this deletion: what lies behind a deletion is a difference of two.
  rows_until bigint not null default 0,
  constraint deletions_pkey primary key (id),
  -- The time as well: transactions are numbered anew when a dump is restored.
  constraint deletions_one_per_transaction unique (user_id, transaction_id, deleted_at),
  -- The counters and not auth.users: whoever deletes holds their own row of them already, so an account that is deleted
  -- at the same moment is not waited for in a circle.
  constraint deletions_user_id_fkey foreign key (user_id) references public.library_counts (user_id) on delete cascade
);
create index deletions_oldest on private.deletions (deleted_at);
create index deletions_of_user on private.deletions (user_id, rows_until);

-- The rows as they were: folders, categories, links and the invitations of categories. (No foreign key: checking it for each of ten
-- thousand links costs more than the rest. Rows come with their deletion and go with it, by the trigger below.)
create table private.deleted_rows (
  deletion_id bigint not null,
  kind text not null,
  id uuid not null,
  -- The folder of a category, the category of a link.
  parent_id uuid,
  content jsonb not null,
  constraint deleted_rows_kind_known check (kind in ('folder', 'category', 'share', 'link'))
);
-- An invitation stands under the id of its category, so it is not unique.
create index deleted_rows_by_id on private.deleted_rows (deletion_id, kind, id);

-- The search zones that it left empty. Summing up the text of ten thousand links takes seconds: they come back ready-made.
create table private.deleted_zones (
  deletion_id bigint not null,
  oldest timestamptz not null,
  newest timestamptz not null,
  grams bit(8192) not null
);
alter table private.deleted_zones alter column grams set storage plain;
create index deleted_zones_of_deletion on private.deleted_zones (deletion_id);

alter table private.deletions enable row level security;
alter table private.deleted_rows enable row level security;
alter table private.deleted_zones enable row level security;
revoke all on private.deletions, private.deleted_rows, private.deleted_zones from public, anon, authenticated, service_role;

create function private.undo_window() returns interval
  language sql immutable parallel safe
  set search_path = ''
as $$ select interval '5 minutes' $$;

create function private.forget_rows() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from private.deleted_rows r using removed d where r.deletion_id = d.id;
  delete from private.deleted_zones z using removed d where z.deletion_id = d.id;
  return null;
end
$$;

-- Deletes up to so many rows that can no longer be brought back; returns how many. Copies of it never wait for each other.
create function private.purge_deletions(at_most integer default 100000) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  expired_before timestamptz := now() - private.undo_window();
  purged integer;
begin
  if not exists (select from private.deletions where deleted_at < expired_before) then
    return 0;
  end if;
  delete from private.deleted_rows where ctid = any (array(
    select r.ctid
    from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
    where d.deleted_at < expired_before
    limit at_most for update of r skip locked
  ));
  get diagnostics purged = row_count;
  if purged < at_most then
    delete from private.deletions where ctid = any (array(
      select d.ctid from private.deletions d
      where d.deleted_at < expired_before
        and not exists (select from private.deleted_rows r where r.deletion_id = d.id)
      for update skip locked
    ));
  end if;
  return purged;
end
$$;

-- The deletion that the running transaction belongs to, with the counts before its first row went, carrying the person's running
-- total on; null when the account itself is on its way out.
create function private.open_deletion(caller uuid, links_gone bigint, categories_gone bigint) returns bigint
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

-- Keeps what people delete of their own; what the platform deletes (an account, say) is gone.
create function private.keep_deleted() returns trigger
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
create function private.keep_deleted_shares() returns trigger
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

revoke all on function private.undo_window(), private.forget_rows(), private.purge_deletions(integer),
  private.open_deletion(uuid, bigint, bigint), private.keep_newest_deletions(bigint, bigint), private.keep_deleted(),
  private.keep_deleted_shares() from public;
revoke all on function public.delete_links(uuid[]), public.move_links(uuid[], uuid)
  from public, anon, authenticated, service_role;
grant execute on function private.purge_deletions(integer) to service_role;
grant execute on function public.delete_links(uuid[]), public.move_links(uuid[], uuid) to authenticated;

create trigger deletions_forget_rows after delete on private.deletions
  referencing old table as removed for each statement execute function private.forget_rows();

-- By their names these come after *_count_removed, whose lock on the person's counters they rely on. A parent's run before those of
-- what was deleted with it, so a category is in the trash when its invitations come.
create trigger folders_keep_deleted after delete on public.folders
  referencing old table as removed for each statement execute function private.keep_deleted();
create trigger categories_keep_deleted after delete on public.categories
  referencing old table as removed for each statement execute function private.keep_deleted();
create trigger links_keep_deleted after delete on public.links
  referencing old table as removed for each statement execute function private.keep_deleted();
create trigger shared_with_keep_deleted after delete on public.shared_with
  referencing old table as removed for each statement execute function private.keep_deleted_shares();
