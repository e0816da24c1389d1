-- 'Desfazer': brings back what the caller deleted in the last minutes, as it was and with everything that went with it.

-- Ten thousand ids are joined with the trash here, and nobody analyses the trash: joined by hash the cost stays in proportion, whatever
-- the planner believes. These three fire no triggers, so nothing else is planned under that setting.

-- Which rows of the trash the caller means: the newest of each id, unless a row of theirs lives under it again.
create function private.find_deleted(caller uuid, item_type text, item_ids uuid[], out batches bigint[], out ids uuid[])
  language plpgsql
  set search_path = ''
  set enable_nestloop = off
  set enable_mergejoin = off
as $$
declare
  candidates bigint[] := array(
    select d.id from private.deletions d
    where d.user_id = caller and d.deleted_at > now() - private.undo_window()
  );
begin
  select array_agg(found.deletion_id), array_agg(found.id) into batches, ids
  from (
    select distinct on (r.id) r.deletion_id, r.id
    from private.deleted_rows r join unnest(item_ids) as wanted(id) on wanted.id = r.id
    where r.deletion_id = any (candidates) and r.kind = item_type
    order by r.id, r.deletion_id desc
  ) as found
  where case item_type
    when 'folder' then (select f.id from public.folders f where f.id = found.id and f.user_id = caller)
    when 'category' then (select c.id from public.categories c where c.id = found.id and c.user_id = caller)
    else (select l.id from public.links l where l.id = found.id and l.user_id = caller)
  end is null;
end
$$;

-- What went in the same transactions from beneath those rows: the categories of folders, the links of categories.
create function private.find_deleted_beneath(
  parent_batches bigint[], parent_ids uuid[], item_type text, out batches bigint[], out ids uuid[]
)
  language plpgsql
  set search_path = ''
  set enable_nestloop = off
  set enable_mergejoin = off
as $$
declare
  candidates bigint[] := array(select distinct unnest(parent_batches));
begin
  select array_agg(r.deletion_id), array_agg(r.id) into batches, ids
  from private.deleted_rows r
  join unnest(parent_batches, parent_ids) as parent(batch, id) on parent.batch = r.deletion_id and parent.id = r.parent_id
  where r.deletion_id = any (candidates) and r.kind = item_type;
end
$$;

-- Takes the rows of a kind, named by their deletion and id, out of the trash.
create function private.take_deleted(item_type text, batches bigint[], ids uuid[])
  returns table (deletion_id bigint, id uuid, content jsonb)
  language plpgsql
  set search_path = ''
  set enable_nestloop = off
  set enable_mergejoin = off
as $$
declare
  candidates bigint[] := array(select distinct unnest(batches));
begin
  return query
    delete from private.deleted_rows r using unnest(batches, ids) as wanted(batch, id)
    where r.deletion_id = any (candidates) and r.kind = item_type
      and wanted.batch = r.deletion_id and wanted.id = r.id
    returning r.deletion_id, r.id, r.content;
end
$$;

-- These three put rows back and return how many. The insert triggers do what they do for any row: count, check the plan, index
-- the text.
create function private.restore_folders(batches bigint[], ids uuid[]) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  restored integer;
begin
  insert into public.folders
  select f.*
  from private.take_deleted('folder', batches, ids) as taken
  cross join lateral jsonb_populate_record(null::public.folders, taken.content) as f;
  get diagnostics restored = row_count;
  return restored;
end
$$;

create function private.restore_categories(batches bigint[], ids uuid[]) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  restored integer;
begin
  insert into public.categories
  select c.*
  from private.take_deleted('category', batches, ids) as taken
  cross join lateral jsonb_populate_record(null::public.categories, taken.content) as c;
  get diagnostics restored = row_count;

  insert into public.shared_with (id, category_id, email, created_at)
  select coalesce(s.id, gen_random_uuid()), s.category_id, s.email, s.created_at
  from private.take_deleted('share', batches, ids) as taken
  cross join lateral jsonb_populate_record(null::public.shared_with, taken.content) as s;
  return restored;
end
$$;

-- A link whose id was taken meanwhile comes back under a new one: a stranger who read the id on a shared page must not be able
-- to hold the rest back.
create function private.restore_links(caller uuid, batches bigint[], ids uuid[]) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  moments timestamptz[];
  reaches timestamptz[];
begin
  with taken as materialized (
    select * from private.take_deleted('link', batches, ids)
  ), restored as (
    insert into public.links
    select l.*
    from taken
    cross join lateral jsonb_populate_record(null::public.links, taken.content || coalesce(
      (select jsonb_build_object('id', gen_random_uuid()) from public.links k where k.id = taken.id), '{}'
    )) as l
    order by l.created_at, l.id
  )
  select array_agg((t.content ->> 'created_at')::timestamptz), array_agg(d.zones_until) into moments, reaches
  from taken t join private.deletions d on d.id = t.deletion_id;

  perform private.restore_search_zones(caller, moments, reaches);
  return coalesce(cardinality(moments), 0);
end
$$;

-- Puts the rows back from the top down; returns how many of each.
create function private.restore_deleted(caller uuid, item_type text, item_ids uuid[]) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  batches bigint[];
  ids uuid[];
  folders integer := 0;
  categories integer := 0;
  links integer := 0;
begin
  select * into batches, ids from private.find_deleted(caller, item_type, item_ids);
  if item_type = 'folder' then
    folders := private.restore_folders(batches, ids);
    select * into batches, ids from private.find_deleted_beneath(batches, ids, 'category');
  end if;
  if item_type in ('folder', 'category') then
    categories := private.restore_categories(batches, ids);
    select * into batches, ids from private.find_deleted_beneath(batches, ids, 'link');
  end if;
  links := private.restore_links(caller, batches, ids);
  return jsonb_build_object('folders', folders, 'categories', categories, 'links', links);
end
$$;

-- The caller's own deletions of the last five minutes, once. All of it comes back or, refused, nothing.
create function public.undo_deletion(item_type text, item_ids uuid[]) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  broken text;
  restored jsonb;
begin
  if item_type is null or item_type not in ('folder', 'category', 'link') then
    raise exception using errcode = 'PT400', message = 'Tipo de item desconhecido';
  elsif cardinality(item_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 itens por vez';
  end if;
  -- The second of two undos by the same person waits here for the first, and then finds nothing left.
  insert into private.restorations (user_id, link_count, category_count)
  select caller, coalesce(max(d.link_count), 0), coalesce(max(d.category_count), 0)
  from private.deletions d
  where d.user_id = caller and d.deleted_at > now() - private.undo_window()
  having caller is not null;
  restored := private.restore_deleted(caller, item_type, item_ids);
  delete from private.restorations where user_id = caller;
  perform private.purge_deletions(1000);
  return restored;
exception
  when foreign_key_violation then
    raise exception using errcode = 'PT409', message = 'A categoria ou pasta de origem não existe mais';
  when unique_violation then
    get stacked diagnostics broken = constraint_name;
    if broken = 'folders_name_unique_per_user' then
      raise; -- the screens know it: a folder of this name exists
    end if;
    raise exception using errcode = 'PT409', message = 'Este item já existe';
end
$$;

revoke all on function private.find_deleted(uuid, text, uuid[]), private.find_deleted_beneath(bigint[], uuid[], text),
  private.take_deleted(text, bigint[], uuid[]), private.restore_folders(bigint[], uuid[]),
  private.restore_categories(bigint[], uuid[]), private.restore_links(uuid, bigint[], uuid[]),
  private.restore_deleted(uuid, text, uuid[]) from public;
revoke all on function public.undo_deletion(text, uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.undo_deletion(text, uuid[]) to authenticated;
