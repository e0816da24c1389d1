-- What is shared as a whole, or nearly, is searched in half the time: of whom most is shared, what is not is put aside, instead of looking
-- each link up among those that are; and a word that many links have is found among the newest. What is found, and in which order, is as
-- before (see 20261125040000_search_received_links.sql).

-- As before: what is in none of these categories is put aside before its text is looked at, so that the time it takes tells nothing about
-- what it says.
create or replace function private.scan_categories(
  categories uuid[], owner uuid, needed text[], wanted text[], saved_before timestamptz, saved_since timestamptz, most bigint
)
  returns table (id uuid, created_at timestamptz, category_id uuid)
  language plpgsql
  stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_nestloop = off
  set enable_mergejoin = off
  set work_mem = '32MB'
as $$
declare
  patterns text[] := private.contains_patterns(needed);
  alternatives text[] := private.contains_patterns(needed || wanted);
  others uuid[] := array(select c.id from public.categories c where c.user_id = owner and c.id <> all (categories));
  is_mostly_shared boolean := cardinality(others) <= 100 and (
    select coalesce(sum(n.link_count), 0) from public.category_counts n where n.category_id = any (others)
  ) * 2 < (select n.link_count from public.library_counts n where n.user_id = owner);
  ids uuid[];
  moments timestamptz[];
  places uuid[];
begin
  if most is not null then
    select array_agg(f.id), array_agg(f.created_at), array_agg(f.category_id) into ids, moments, places
    from (
      select distinct r.id, r.created_at, r.category_id
      from (
        select s.id, s.created_at, s.piece, l.category_id
        from (
          select n.id, n.created_at, n.piece from private.link_search n
          where n.user_id = owner and n.created_at < saved_before and n.created_at >= saved_since
          order by n.created_at desc, n.id desc limit 500
        ) as s
        cross join lateral (
          select k.category_id from public.links k where k.id = s.id and k.category_id = any (categories) offset 0
        ) as l
        offset 0
      ) as r
      where private.is_promising_piece(r.piece, needed, patterns, alternatives)
      order by r.created_at desc, r.id desc
      limit most
    ) as f;
    if cardinality(ids) >= most then
      return query select * from unnest(ids, moments, places);
      return;
    end if;
  end if;
  if is_mostly_shared then
    return query
      select distinct r.id, r.created_at, l.category_id
      from (
        select s.id, s.created_at, s.piece
        from private.link_search s
        where s.user_id = owner and s.created_at < saved_before and s.created_at >= saved_since
          -- (No join: a plan for any numbers would hash the texts and not these.)
          and s.id not in (select k.id from public.links k where k.category_id = any (others))
        offset 0
      ) as r
      cross join lateral (
        select k.category_id from public.links k where k.id = r.id and k.category_id = any (categories) offset 0
      ) as l
      where private.is_promising_piece(r.piece, needed, patterns, alternatives)
      order by r.created_at desc, r.id desc
      limit most;
    return;
  end if;
  return query
    select distinct r.id, r.created_at, r.category_id
    from (
      select s.id, s.created_at, s.piece, l.category_id
      from private.link_search s
      join (
        select k.id, k.category_id from public.links k
        where k.category_id = any (categories) and k.created_at < saved_before and k.created_at >= saved_since
      ) as l on l.id = s.id
      where s.user_id = owner and s.created_at < saved_before and s.created_at >= saved_since
      offset 0
    ) as r
    where private.is_promising_piece(r.piece, needed, patterns, alternatives)
    order by r.created_at desc, r.id desc
    limit most;
end
$$;
