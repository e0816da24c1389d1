-- 'Lixeira' and 'Desfazer': what the caller deleted comes back as it was and with everything that went with it, for as long as it is in
-- their bin. The plan's limits hold as they do for 'Desfazer': up to what the person had before a deletion that is in the bin still, as
-- if nothing had been deleted.

drop function private.restore_deleted(uuid, text, uuid[]), private.restore_links(uuid, bigint[], uuid[]),
  private.restore_categories(bigint[], uuid[]), private.restore_search_zones(uuid, timestamptz[], timestamptz[]);

-- When a zone was first summed up: it knows the texts that were there then and those that came since, not those that were in the bin.
alter table private.link_search_zones add column summed_at timestamptz not null default clock_timestamp();

-- After links were put back: their ids, their moments, and for each how far the zones reached when it was deleted, and when that was; a zone that a
-- deletion left empty comes back with them. Runs under the lock of the counter's row, like everything that writes zones.
create function private.restore_search_zones(
  caller uuid, restored_ids uuid[], moments timestamptz[], reaches timestamptz[], gone_at timestamptz[]
) returns void
  language plpgsql
  set search_path = ''
  set enable_seqscan = off -- nobody has analysed what was just put back
as $$
declare
  kept record;
  put_back timestamptz[] := '{}';
begin
  -- One by one, as no two may overlap: a link in two zones would be found twice. What such a zone knows for sure are the texts that went
  -- in the deletion that left it empty: until the end of this call it bears that moment.
  for kept in
    select z.ctid as place, z.oldest, z.newest, z.grams, d.deleted_at
    from private.deletions d join private.deleted_zones z on z.deletion_id = d.id
    where d.user_id = caller and exists (
      select from private.link_search s where s.user_id = caller and s.created_at between z.oldest and z.newest
    )
  loop
    if not exists (
      select from private.link_search_zones z
      where z.user_id = caller and z.newest >= kept.oldest and z.oldest <= kept.newest
    ) then
      insert into private.link_search_zones (user_id, oldest, newest, grams, summed_at)
      values (caller, kept.oldest, kept.newest, kept.grams, kept.deleted_at);
      put_back := put_back || kept.newest;
      delete from private.deleted_zones where ctid = kept.place;
    end if;
  end loop;

  -- A text that lies in no zone, or in one that was summed up without it, widens the zone where search looks for it: the first that
  -- ends at its moment or later. (One walk back in time over moments and zones together; as zones do not overlap, the smallest
  -- end seen so far is that zone's.)
  update private.link_search_zones z
  set grams = z.grams | missing.grams, oldest = least(z.oldest, missing.earliest)
  from (
    select placed.newest, min(placed.moment) as earliest, private.search_grams(string_agg(s.piece, E'\n')) as grams
    from (
      select w.moment, w.reach, w.gone, min(w.newest) over (order by w.moment desc) as newest
      from (
        select m.moment, m.reach, m.gone, null::timestamptz as newest
        from unnest(moments, reaches, gone_at) as m(moment, reach, gone)
        union all
        select l.newest, null, null, l.newest from private.link_search_zones l where l.user_id = caller
      ) as w
    ) as placed
    join private.link_search_zones l on l.user_id = caller and l.newest = placed.newest
    join private.link_search s on s.user_id = caller and s.created_at = placed.moment
    where placed.reach is not null
      and (
        placed.moment > placed.reach or placed.moment < l.oldest or l.summed_at > placed.gone
        or (l.summed_at < placed.gone and placed.newest = any (put_back))
      )
    group by placed.newest
  ) as missing
  where z.user_id = caller and z.newest = missing.newest;

  -- A text that came while its zone was away (an imported link has an old date) is not in what the zone knows; search looks for it there
  -- from now on, also where it stands before it.
  update private.link_search_zones z
  set grams = z.grams | late.grams, oldest = least(z.oldest, late.earliest), summed_at = clock_timestamp()
  from (
    select k.newest, min(s.created_at) as earliest, private.search_grams(coalesce(string_agg(s.piece, E'\n'), '')) as grams
    from unnest(put_back) as k(newest)
    left join private.link_search s on s.user_id = caller and s.created_at <= k.newest
      and s.created_at > coalesce(
        (select max(b.newest) from private.link_search_zones b where b.user_id = caller and b.newest < k.newest), '-infinity'
      )
      and not exists (select from unnest(restored_ids) as r(id) where r.id = s.id)
    group by k.newest
  ) as late
  where z.user_id = caller and z.newest = late.newest;
end
$$;

-- Which rows of the bin the caller means: the newest of each id, unless a row of theirs lives under it again.
create or replace function private.find_deleted(caller uuid, item_type text, item_ids uuid[], out batches bigint[], out ids uuid[])
  language plpgsql
  set search_path = ''
  set enable_nestloop = off
  set enable_mergejoin = off
as $$
declare
  candidates bigint[] := array(
    select d.id from private.deletions d where d.user_id = caller and d.purge_after > now()
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

-- What a new row of the table has in its columns: of a column that is younger than what was deleted, the value it comes back with.
create function private.column_defaults(of_table regclass) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  expressions text;
  defaults jsonb;
begin
  select string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ') into expressions
  from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where d.adrelid = of_table and a.attgenerated = '';
  execute format('select jsonb_build_object(%s)', expressions) into defaults;
  return defaults;
end
$$;

create or replace function private.restore_folders(batches bigint[], ids uuid[]) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  defaults jsonb := private.column_defaults('public.folders');
  restored integer;
begin
  insert into public.folders
  select f.*
  from private.take_deleted('folder', batches, ids) as taken
  cross join lateral jsonb_populate_record(null::public.folders, defaults || taken.content) as f;
  get diagnostics restored = row_count;
  return restored;
end
$$;

-- With their invitations. Whose folder is gone comes back in the one that is given, if one is. A stranger who read an id on a shared
-- page must not be able to hold the rest back by taking it: that category comes back under a new one ({"old id": "new id"}).
create function private.restore_categories(
  caller uuid, batches bigint[], ids uuid[], given_folder uuid, out restored integer, out new_ids jsonb
)
  language plpgsql
  set search_path = ''
as $$
declare
  defaults jsonb := private.column_defaults('public.categories');
begin
  select coalesce(jsonb_object_agg(k.id, gen_random_uuid()), '{}') into new_ids
  from public.categories k where k.id = any (ids) and k.user_id <> caller;

  insert into public.categories
  select c.*
  from private.take_deleted('category', batches, ids) as taken
  cross join lateral jsonb_populate_record(
    null::public.categories,
    defaults || taken.content || jsonb_build_object('id', coalesce(new_ids ->> taken.id::text, taken.id::text)) || case
      when given_folder is null or exists (
        select from public.folders f where f.id = (taken.content ->> 'folder_id')::uuid and f.user_id = caller
      ) then '{}'
      else jsonb_build_object('folder_id', given_folder)
    end
  ) as c;
  get diagnostics restored = row_count;

  insert into public.shared_with (id, category_id, email, created_at)
  select coalesce(s.id, gen_random_uuid()), coalesce((new_ids ->> s.category_id::text)::uuid, s.category_id), s.email, s.created_at
  from private.take_deleted('share', batches, ids) as taken
  cross join lateral jsonb_populate_record(null::public.shared_with, taken.content) as s;
end
$$;

-- Into the categories they were in, under the ids that those have now; whose category is gone comes back in the one that is given, if
-- one is. A link whose id was taken meanwhile comes back under a new one, too.
create function private.restore_links(caller uuid, batches bigint[], ids uuid[], given_category uuid, new_ids jsonb)
  returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  defaults jsonb := private.column_defaults('public.links');
  moments timestamptz[];
  reaches timestamptz[];
  gone_at timestamptz[];
  restored_ids uuid[];
begin
  with taken as materialized (
    select t.*, coalesce(new_ids ->> (t.content ->> 'category_id'), t.content ->> 'category_id')::uuid as place
    from private.take_deleted('link', batches, ids) as t
  ), restored as (
    insert into public.links
    select l.*
    from taken
    cross join lateral jsonb_populate_record(
      null::public.links,
      defaults || taken.content || jsonb_build_object(
        'id', case when exists (select from public.links k where k.id = taken.id) then gen_random_uuid() else taken.id end,
        'category_id', case
          when given_category is null or exists (
            select from public.categories c where c.id = taken.place and c.user_id = caller
          ) then taken.place
          else given_category
        end
      )
    ) as l
    order by l.created_at, l.id
    returning id
  )
  select array_agg((t.content ->> 'created_at')::timestamptz), array_agg(d.zones_until), array_agg(d.deleted_at),
    (select array_agg(r.id) from restored r)
  into moments, reaches, gone_at, restored_ids
  from taken t join private.deletions d on d.id = t.deletion_id;

  perform private.restore_search_zones(caller, restored_ids, moments, reaches, gone_at);
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
  new_ids jsonb := '{}';
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
    select r.restored, r.new_ids into categories, new_ids from private.restore_categories(caller, batches, ids, null) as r;
    select * into batches, ids from private.find_deleted_beneath(batches, ids, 'link');
  end if;
  links := private.restore_links(caller, batches, ids, null, new_ids);
  return jsonb_build_object('folders', folders, 'categories', categories, 'links', links);
end
$$;

-- Everything of one deletion. The answer names a category to open as well: the first that came back, or the one its links came back to.
create function private.restore_deletion(caller uuid, deletion bigint, given_place uuid) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  ids uuid[];
  new_ids jsonb;
  folders integer;
  categories integer;
  links integer;
  opened uuid;
begin
  ids := array(select r.id from private.deleted_rows r where r.deletion_id = deletion and r.kind = 'folder');
  folders := private.restore_folders(array_fill(deletion, array[cardinality(ids)]), ids);
  ids := array(select r.id from private.deleted_rows r where r.deletion_id = deletion and r.kind = 'category');
  select r.restored, r.new_ids into categories, new_ids
  from private.restore_categories(caller, array_fill(deletion, array[cardinality(ids)]), ids, given_place) as r;
  opened := coalesce((new_ids ->> ids[1]::text)::uuid, ids[1]);
  ids := array(select r.id from private.deleted_rows r where r.deletion_id = deletion and r.kind = 'link');
  if opened is null then
    select coalesce(c.id, given_place) into opened
    from private.deleted_rows r left join public.categories c on c.id = r.parent_id and c.user_id = caller
    where r.deletion_id = deletion and r.kind = 'link' limit 1;
  end if;
  links := private.restore_links(caller, array_fill(deletion, array[cardinality(ids)]), ids, given_place, new_ids);
  return jsonb_build_object('folders', folders, 'categories', categories, 'links', links, 'category_id', opened);
end
$$;

-- Gives the caller back their own: rows by their ids, or everything of one deletion. All of it comes back or, refused, nothing. The
-- second of two by the same person waits here for the first, and then finds nothing left.
create function private.give_back(caller uuid, item_type text, item_ids uuid[], deletion bigint, given_place uuid) returns jsonb
  language plpgsql
  set search_path = ''
as $$
declare
  broken text;
  restored jsonb;
begin
  insert into private.restorations (user_id, link_count, category_count)
  select caller, coalesce(max(d.link_count), 0), coalesce(max(d.category_count), 0)
  from private.deletions d
  where d.user_id = caller and d.purge_after > now()
  having caller is not null;
  restored := case
    when deletion is null then private.restore_deleted(caller, item_type, item_ids)
    else private.restore_deletion(caller, deletion, given_place)
  end;
  delete from private.restorations where user_id = caller;
  perform private.purge_deletions(1000);
  return restored;
exception
  when foreign_key_violation then
    raise exception using
      errcode = 'PT409', message = 'A categoria ou pasta de origem não existe mais', hint = 'place_gone';
  when unique_violation then
    get stacked diagnostics broken = constraint_name;
    if broken = 'folders_name_unique_per_user' then
      raise; -- the screens know it: a folder of this name exists
    end if;
    raise exception using errcode = 'PT409', message = 'Este item já existe';
end
$$;

-- The newest deletion of each id that is in the caller's bin, once.
create or replace function public.undo_deletion(item_type text, item_ids uuid[]) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if item_type is null or item_type not in ('folder', 'category', 'link') then
    raise exception using errcode = 'PT400', message = 'Tipo de item desconhecido';
  elsif cardinality(item_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 itens por vez';
  end if;
  return private.give_back(private.caller_id(), item_type, item_ids, null, null);
end
$$;

-- What is in the caller's bin, newest first: one line a deletion, named after one of what was deleted, with how many there are of it
-- and how much went along. `before` is the last id of the page before.
create function public.list_bin(before bigint default null, max integer default 50)
  returns table (
    id bigint, item_type text, name text, folder_count integer, category_count integer, link_count integer,
    folder_name text, category_name text, deleted_at timestamptz, purge_after timestamptz
  )
  language sql stable
  security definer
  set search_path = ''
as $$
  select d.id, named.kind, named.title, n.folders::integer, n.categories::integer, n.links::integer,
    case when named.kind <> 'folder' then d.folder_name end, case when named.kind = 'link' then d.category_name end,
    d.deleted_at, d.purge_after
  from (
    select o.* from private.deletions o
    where o.user_id = private.caller_id() and o.purge_after > now() and (before is null or o.id < before)
      and exists (select from private.deleted_rows r where r.deletion_id = o.id and r.kind in ('folder', 'category', 'link'))
    order by o.id desc
    limit least(greatest(coalesce(max, 50), 0), 100)
  ) as d
  cross join lateral (
    select count(*) filter (where r.kind = 'folder') as folders, count(*) filter (where r.kind = 'category') as categories,
      count(*) filter (where r.kind = 'link') as links
    from private.deleted_rows r where r.deletion_id = d.id
  ) as n
  cross join lateral (
    select r.kind, coalesce(r.content ->> 'name', r.content ->> 'title') as title
    from private.deleted_rows r
    where r.deletion_id = d.id
      and r.kind = case when n.folders > 0 then 'folder' when n.categories > 0 then 'category' else 'link' end
    order by r.id limit 1
  ) as named
  order by d.id desc
$$;

-- Everything of one deletion, as it was. What cannot go where it was goes to the category (links) or folder (categories) that is given.
create function public.restore_from_bin(deletion_id bigint, place_id uuid default null) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  restored jsonb;
begin
  if exists (
    select from private.deletions d where d.id = deletion_id and d.user_id = caller and d.purge_after > now()
  ) then
    restored := private.give_back(caller, null, null, deletion_id, place_id);
  end if;
  -- Somebody else's answers like one that does not exist.
  if restored is null or (restored ->> 'folders')::integer + (restored ->> 'categories')::integer + (restored ->> 'links')::integer = 0 then
    raise exception using errcode = 'PT404', message = 'Este item não está mais na Lixeira';
  end if;
  return restored;
end
$$;

-- These two end the time of what is in the bin: nobody restores it any more, and purging takes it, here as far as it is little.
create function public.delete_from_bin(deletion_id bigint) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  ended boolean;
begin
  update private.deletions d set purge_after = now()
  where d.id = deletion_id and d.user_id = caller and d.purge_after > now();
  ended := found;
  perform private.purge_deletions(10000);
  return ended;
end
$$;

-- Returns how many deletions there were to restore.
create function public.empty_bin() returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  ended integer;
begin
  update private.deletions d set purge_after = now() where d.user_id = caller and d.purge_after > now();
  get diagnostics ended = row_count;
  perform private.purge_deletions(10000);
  return ended;
end
$$;

revoke all on function private.column_defaults(regclass), private.restore_categories(uuid, bigint[], uuid[], uuid),
  private.restore_links(uuid, bigint[], uuid[], uuid, jsonb), private.restore_deleted(uuid, text, uuid[]),
  private.restore_deletion(uuid, bigint, uuid), private.give_back(uuid, text, uuid[], bigint, uuid),
  private.restore_search_zones(uuid, uuid[], timestamptz[], timestamptz[], timestamptz[]) from public;
revoke all on function public.list_bin(bigint, integer), public.restore_from_bin(bigint, uuid), public.delete_from_bin(bigint),
  public.empty_bin() from public, anon, authenticated, service_role;
grant execute on function public.list_bin(bigint, integer), public.restore_from_bin(bigint, uuid),
  public.delete_from_bin(bigint), public.empty_bin() to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.list_bin(bigint, integer) is 'What is in the caller''s bin. Nullable: folder_name, category_name.';
