-- Search zones (skip_search_zones) through a deletion and its undo: a zone that a deletion leaves empty is kept with what was
-- deleted, and put back with it.

-- As before, except for that, and for links that are restored: restore_search_zones looks after those.
create or replace function private.keep_search_zones() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
begin
  if tg_op = 'DELETE' then
    with emptied as (
      delete from private.link_search_zones z
      using (
        select distinct r.user_id, (
          select min(l.newest) from private.link_search_zones l
          where l.user_id = r.user_id and l.newest >= r.created_at
        ) as newest
        from removed r
      ) as left_behind
      where z.user_id = left_behind.user_id and z.newest = left_behind.newest
        and not exists (
          select from private.link_search s
          where s.user_id = z.user_id and s.created_at between z.oldest and z.newest
        )
      returning z.*
    )
    insert into private.deleted_zones (deletion_id, oldest, newest, grams)
    select d.id, e.oldest, e.newest, e.grams
    from emptied e
    join private.deletions d
      on d.user_id = e.user_id and d.transaction_id = pg_current_xact_id() and d.deleted_at = now();
    return null;
  end if;

  if tg_op = 'UPDATE' then
    perform from public.library_counts
    where user_id in (
      select a.user_id from added a join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    order by user_id for no key update;
    perform private.widen_search_zone(a.user_id, a.created_at, private.link_search_text(a.title, a.url, a.description))
    from added a join removed r on r.id = a.id
    where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
      and exists (select from private.link_search_zones z where z.user_id = a.user_id and z.newest >= a.created_at);
    return null;
  end if;

  for change in
    select a.user_id, n.link_count, a.n,
      a.earliest <= (select max(z.newest) from private.link_search_zones z where z.user_id = a.user_id) as is_covered
    from (select user_id, count(*) as n, min(created_at) as earliest from added group by user_id) as a
    join public.library_counts n on n.user_id = a.user_id
    where not exists (select from private.restorations r where r.user_id = a.user_id)
  loop
    if change.is_covered then
      perform private.widen_search_zone(a.user_id, a.created_at, private.link_search_text(a.title, a.url, a.description))
      from added a
      where a.user_id = change.user_id;
    end if;
    -- Small libraries are read whole in no time; in large ones every sixty-fourth link sums up.
    if change.link_count >= 2000 and change.link_count / 64 <> (change.link_count - change.n) / 64 then
      perform private.extend_search_zones(change.user_id);
    end if;
  end loop;
  return null;
end
$$;

-- After links were put back: their moments, and for each how far the zones reached when it was deleted. Runs under the lock of the
-- counter's row, like everything that writes zones.
create function private.restore_search_zones(caller uuid, moments timestamptz[], reaches timestamptz[]) returns void
  language plpgsql
  set search_path = ''
  set enable_seqscan = off -- nobody has analysed what was just put back
as $$
declare
  kept record;
begin
  -- One by one, as no two may overlap: a link in two zones would be found twice.
  for kept in
    select z.ctid as place, z.oldest, z.newest, z.grams
    from private.deletions d join private.deleted_zones z on z.deletion_id = d.id
    where d.user_id = caller and exists (
      select from private.link_search s where s.user_id = caller and s.created_at between z.oldest and z.newest
    )
  loop
    if not exists (
      select from private.link_search_zones z
      where z.user_id = caller and z.newest >= kept.oldest and z.oldest <= kept.newest
    ) then
      insert into private.link_search_zones (user_id, oldest, newest, grams)
      values (caller, kept.oldest, kept.newest, kept.grams);
      delete from private.deleted_zones where ctid = kept.place;
    end if;
  end loop;

  -- A text that lies in no zone, or in one that was summed up without it, widens the zone where search looks for it: the first that
  -- ends at its moment or later. (One walk back in time over moments and zones together; as zones do not overlap, the smallest
  -- end seen so far and the smallest beginning are those of the same zone.)
  update private.link_search_zones z
  set grams = z.grams | missing.grams, oldest = least(z.oldest, missing.earliest)
  from (
    select placed.newest, min(placed.moment) as earliest, private.search_grams(string_agg(s.piece, E'\n')) as grams
    from (
      select w.moment, w.reach,
        min(w.newest) over (order by w.moment desc) as newest, min(w.oldest) over (order by w.moment desc) as oldest
      from (
        select m.moment, m.reach, null::timestamptz as newest, null::timestamptz as oldest
        from unnest(moments, reaches) as m(moment, reach)
        union all
        select l.newest, null, l.newest, l.oldest from private.link_search_zones l where l.user_id = caller
      ) as w
    ) as placed
    join private.link_search s on s.user_id = caller and s.created_at = placed.moment
    where placed.reach is not null and placed.newest is not null
      and (placed.moment > placed.reach or placed.moment < placed.oldest)
    group by placed.newest
  ) as missing
  where z.user_id = caller and z.newest = missing.newest;
end
$$;
revoke all on function private.restore_search_zones(uuid, timestamptz[], timestamptz[]) from public;
