-- What becomes of an order that somebody gave a category: it goes and comes back with what is deleted, it is in the account's copy, and
-- a category that is copied keeps it.

-- The place of a link, or that a category has an order, lies beside what its person deletes, under its id.
alter table private.deleted_rows drop constraint deleted_rows_kind_known;
alter table private.deleted_rows add constraint deleted_rows_kind_known
  check (kind in ('folder', 'category', 'share', 'link', 'favorite', 'look', 'order'));

create function private.keep_deleted_order() returns trigger
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
    select i.deletion_id, 'order', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.user_id
    join private.deleted_rows i on i.deletion_id = d.id
      and i.kind = case when r.link_id is null then 'category' else 'link' end and i.id = coalesce(r.link_id, r.category_id)
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

-- Runs with every added row, and does something only where rows are given back.
create function private.restore_order() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if not exists (select from private.restorations r where r.user_id = caller) then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'order' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into public.manual_order
  select o.* from taken t cross join lateral jsonb_populate_record(null::public.manual_order, t.content) as o
  -- Of what was deleted more than once the newest.
  order by t.deletion_id desc
  on conflict do nothing;
  return null;
end
$$;

-- After a parent's own, so that it lies in the bin when its place comes (see shared_with_keep_deleted).
create trigger manual_order_keep_deleted after delete on public.manual_order
  referencing old table as removed for each statement execute function private.keep_deleted_order();
create trigger categories_restore_order after insert on public.categories
  referencing new table as added for each statement execute function private.restore_order();
create trigger links_restore_order after insert on public.links
  referencing new table as added for each statement execute function private.restore_order();

revoke all on function private.keep_deleted_order(), private.restore_order() from public;

-- What is in the bin, row by row, for the copy of one's account: as it was, a category with whom it was shared with and whether it had an
-- order, a folder with its look, a link with its place.
create or replace function public.list_bin_rows(
  after_deletion bigint default 0, after_kind text default '', after_id uuid default null, max integer default 1000
)
  returns table (deletion_id bigint, kind text, id uuid, content jsonb, deleted_at timestamptz, purge_after timestamptz)
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  left_over integer := least(greatest(coalesce(max, 1000), 0), 1000);
  found_rows integer;
  d private.deletions;
begin
  for d in
    select o.* from private.deletions o
    where o.user_id = caller and o.purge_after > now() and o.id >= after_deletion
    order by o.id
  loop
    exit when left_over = 0;
    return query
      select d.id, r.kind, r.id, r.content || case r.kind
        when 'category' then jsonb_build_object('shared_with', coalesce(
          (
            select jsonb_agg(jsonb_build_object('email', s.content ->> 'email', 'created_at', s.content ->> 'created_at'))
            from private.deleted_rows s where s.deletion_id = d.id and s.kind = 'share' and s.id = r.id
          ), '[]'
        ), 'manual_order', (
          select jsonb_build_object('category_id', r.id)
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'order' and k.id = r.id limit 1
        ))
        when 'folder' then jsonb_build_object('folder_looks', (
          select jsonb_build_object('color', k.content ->> 'color', 'emoji', k.content ->> 'emoji')
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'look' and k.id = r.id limit 1
        ))
        else jsonb_build_object('manual_order', (
          select jsonb_build_object('rank', k.content ->> 'rank')
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'order' and k.id = r.id limit 1
        ))
      end, d.deleted_at, d.purge_after
      from private.deleted_rows r
      where r.deletion_id = d.id and r.kind in ('folder', 'category', 'link')
        and (d.id > after_deletion or (r.kind, r.id) > (after_kind, after_id))
      order by r.kind, r.id
      limit left_over;
    get diagnostics found_rows = row_count;
    left_over := left_over - found_rows;
  end loop;
end
$$;

-- As before; links are born anew in the order in which the category shows them, which thereby is that of their birth.
create or replace function public.copy_shared_category(category_id uuid, folder_id uuid) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  access text := private.category_access($1);
  copy uuid;
  total integer;
begin
  if access = 'limited' then
    raise exception using
      errcode = 'P0001',
      message = 'Limite de categorias compartilhadas atingido',
      hint = 'plan_limit_shares';
  elsif caller is null or access is null or access = 'denied' then
    -- Restricted to others and missing answer alike.
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  elsif not exists (select from public.folders f where f.id = $2 and f.user_id = caller) then
    raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
  end if;
  select n.link_count into total from public.category_counts n where n.category_id = $1;
  if total > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;

  insert into public.categories (name, description, folder_id, user_id)
  select c.name, c.description, $2, caller from public.categories c where c.id = $1
  returning id into copy;
  if copy is null then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  -- The last one first: dates are new, the order is the same.
  insert into public.links (url, title, description, category_id, user_id)
  select l.url, l.title, l.description, copy, caller
  from public.links l
  left join public.manual_order m on m.link_id = l.id
    and exists (select from public.manual_order o where o.category_id = $1)
  where l.category_id = $1
  order by coalesce(m.rank, private.birth_rank(l.created_at, l.id)) collate "C"
  limit 20000;
  return copy;
exception when foreign_key_violation then
  -- The folder went meanwhile.
  raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
end
$$;
