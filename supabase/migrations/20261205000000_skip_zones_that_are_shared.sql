-- What is shared as a whole is searched by zones, too, as its owner does (see 20261123000600_index_link_search.sql). A zone says which
-- letters occur in the texts of sixteen moments. Whoever is no owner may only be spared reading what they could have read: a zone is
-- skipped for them if every text that it tells of is one of theirs. So it must hold no link that is not shared with them, which their
-- question looks up, and nothing of texts that are no longer there, which the zone knows. Of all others no bit is looked at: how long the
-- answer takes tells nothing about what they say.

-- Whether the zone tells of the texts that are there now and of no other. A deletion or an edit leaves bits behind.
alter table private.link_search_zones add column is_exact boolean not null default false;

-- The zones that were there before know what they know; refresh_search_zones gets to them.
create index link_search_zones_to_refresh on private.link_search_zones (user_id) where not is_exact;

-- As before; what is summed up just now is exact.
create or replace function private.extend_search_zones(owner_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  covered timestamptz := coalesce(
    (select max(newest) from private.link_search_zones where user_id = owner_id), '-infinity');
begin
  insert into private.link_search_zones (user_id, oldest, newest, grams, is_exact)
  select owner_id, min(created_at), max(created_at), private.search_grams(string_agg(piece, E'\n')), true
  from (
    select created_at, piece, (dense_rank() over (order by created_at) - 1) / 16 as zone
    from private.link_search
    where user_id = owner_id and created_at > covered
  ) as uncovered
  group by zone having count(distinct created_at) = 16;
end
$$;

-- Sums up anew, a bounded part each time, the zones that tell of more than is there, and answers how many. Under the lock of the counter's
-- row, like everything that writes zones; who is being written for just now has their turn the next time.
create function private.refresh_search_zones(at_most integer default 100) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person uuid;
  refreshed integer := 0;
  part integer;
begin
  for person in
    select inexact.user_id
    from (
      select z.user_id from private.link_search_zones z where not z.is_exact order by z.user_id limit at_most
    ) as inexact
    group by inexact.user_id
    order by inexact.user_id
  loop
    perform from public.library_counts n where n.user_id = person for no key update skip locked;
    continue when not found;
    update private.link_search_zones z
    set grams = fresh.grams, summed_at = clock_timestamp(), is_exact = true
    from (
      select inexact.newest, private.search_grams(coalesce(string_agg(s.piece, E'\n'), '')) as grams
      from (
        select i.oldest, i.newest from private.link_search_zones i
        where i.user_id = person and not i.is_exact
        order by i.newest desc limit at_most - refreshed
      ) as inexact
      left join private.link_search s
        on s.user_id = person and s.created_at >= inexact.oldest and s.created_at <= inexact.newest
      group by inexact.newest
    ) as fresh
    where z.user_id = person and z.newest = fresh.newest;
    get diagnostics part = row_count;
    refreshed := refreshed + part;
    exit when refreshed >= at_most;
  end loop;
  return refreshed;
end
$$;

-- As before. What goes, and what an edit replaces, leaves its zone with bits of texts that are no longer there.
create or replace function private.keep_search_zones()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  change record;
  total bigint;
begin
  if tg_op = 'DELETE' then
    with left_behind as materialized (
      select distinct r.user_id, (
        select min(l.newest) from private.link_search_zones l
        where l.user_id = r.user_id and l.newest >= r.created_at
      ) as newest
      from removed r
    ), emptied as (
      delete from private.link_search_zones z
      using left_behind b
      where z.user_id = b.user_id and z.newest = b.newest
        and not exists (
          select from private.link_search s
          where s.user_id = z.user_id and s.created_at between z.oldest and z.newest
        )
      returning z.*
    ), outdated as (
      update private.link_search_zones z
      set is_exact = false
      from left_behind b
      where z.user_id = b.user_id and z.newest = b.newest and z.is_exact
        and exists (
          select from private.link_search s
          where s.user_id = z.user_id and s.created_at between z.oldest and z.newest
        )
    )
    insert into private.deleted_zones (deletion_id, oldest, newest, grams)
    select d.id, e.oldest, e.newest, e.grams
    from emptied e
    join private.deletions d
      on d.user_id = e.user_id and d.transaction_id = pg_current_xact_id() and d.deleted_at = now();
    return null;
  end if;

  if tg_op = 'UPDATE' then
    with changed as materialized (
      select a.user_id from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    select count(*) into total from (
      select from public.library_counts where user_id in (select c.user_id from changed c) order by user_id for no key update
    ) as held;
    if total = 0 then
      return null;
    end if;
    with changed as materialized (
      select a.user_id, a.created_at, a.title, a.url, a.description
      from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    select count(private.widen_search_zone(c.user_id, c.created_at, private.link_search_text(c.title, c.url, c.description)))
    into total from changed c
    where exists (select from private.link_search_zones z where z.user_id = c.user_id and z.newest >= c.created_at);
    with changed as materialized (
      select a.user_id, a.created_at
      from added a full join removed r on r.id = a.id
      where (a.title, a.url, a.description) is distinct from (r.title, r.url, r.description)
    )
    update private.link_search_zones z
    set is_exact = false
    from (
      select distinct c.user_id, (
        select min(l.newest) from private.link_search_zones l
        where l.user_id = c.user_id and l.newest >= c.created_at
      ) as newest
      from changed c
    ) as edited
    where z.user_id = edited.user_id and z.newest = edited.newest and z.is_exact;
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

-- As before, and the longest word is looked for first: most texts lack it, and need not be asked about the others.
create or replace function private.is_promising_piece(piece text, needed text[], patterns text[], alternatives text[]) returns boolean
  language sql
  immutable
  parallel safe
as $$
  select case
    when cardinality(needed) = 1 then strpos(piece, needed[1]) > 0
    when cardinality(needed) = 0 then piece like any (alternatives)
    when strpos(piece, needed[1]) > 0 and piece like all (patterns) then true
    else octet_length(piece) >= 600 and char_length(piece) = 600 and piece like any (alternatives)
  end
$$;

-- Which parts of an owner's texts, from when until when, have to be read for these words by somebody who may not open the categories
-- `others`: without zones all of them. No text of what is left out holds all of the words.
create function private.list_spans_to_read(
  owner uuid, others uuid[], needed text[], out beginnings timestamptz[], out ends timestamptz[]
)
  language plpgsql
  stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
as $$
declare
  zone_beginnings timestamptz[];
  mixed timestamptz[] := '{}';
  covered timestamptz;
  bits integer[];
  mask bit(8192);
begin
  select array_agg(z.oldest order by z.oldest), max(z.newest) into zone_beginnings, covered
  from private.link_search_zones z where z.user_id = owner;
  if covered is null or cardinality(needed) = 0 then
    beginnings := array['-infinity'];
    ends := array['infinity'];
    return;
  end if;
  -- Zones do not overlap: the last one that begins before a link is its own, if any is.
  if cardinality(others) > 0 then
    mixed := array(
      select distinct zone_beginnings[width_bucket(k.created_at, zone_beginnings)]
      from public.links k
      where k.category_id = any (others) and k.created_at >= zone_beginnings[1] and k.created_at <= covered
    );
  end if;
  bits := array(select unnest(private.search_gram_bits(n.word, true)) from unnest(needed) as n(word));
  if cardinality(bits) = 0 then
    beginnings := array['-infinity'];
    ends := array['infinity'];
    return;
  end if;
  mask := private.search_mask(bits);
  select array_agg(span.beginning), array_agg(span.ending) into beginnings, ends
  from (
    select min(z.oldest) as beginning, max(z.newest) as ending
    from (
      select marked.oldest, marked.newest, marked.is_read,
        count(*) filter (where not marked.is_read) over (order by marked.newest) as skipped_before
      from (
        select l.oldest, l.newest, case
          when not l.is_exact or l.oldest in (select unnest(mixed)) then true
          -- Looking at one bit costs a tenth of comparing all.
          when get_bit(l.grams, bits[1]) = 0 or get_bit(l.grams, bits[cardinality(bits)]) = 0 then false
          else l.grams & mask = mask
        end as is_read
        from private.link_search_zones l
        where l.user_id = owner
      ) as marked
    ) as z
    where z.is_read
    group by z.skipped_before
    union all
    -- What no zone covers yet.
    select covered + interval '1 microsecond', 'infinity'
  ) as span;
end
$$;

-- As before. Of whom most is shared, only those spans are read that may hold the words.
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
  longest_first text[] := array(select n.word from unnest(needed) as n(word) order by char_length(n.word) desc);
  patterns text[] := private.contains_patterns(longest_first);
  alternatives text[] := private.contains_patterns(needed || wanted);
  others uuid[] := array(select c.id from public.categories c where c.user_id = owner and c.id <> all (categories));
  is_mostly_shared boolean := cardinality(others) <= 100 and (
    select coalesce(sum(n.link_count), 0) from public.category_counts n where n.category_id = any (others)
  ) * 2 < (select n.link_count from public.library_counts n where n.user_id = owner);
  ids uuid[];
  moments timestamptz[];
  places uuid[];
  spans record;
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
      where private.is_promising_piece(r.piece, longest_first, patterns, alternatives)
      order by r.created_at desc, r.id desc
      limit most
    ) as f;
    if cardinality(ids) >= most then
      return query select * from unnest(ids, moments, places);
      return;
    end if;
  end if;
  if is_mostly_shared then
    spans := private.list_spans_to_read(owner, others, needed);
    return query
      select distinct r.id, r.created_at, l.category_id
      from (
        select s.id, s.created_at, s.piece
        from unnest(spans.beginnings, spans.ends) as span(beginning, ending)
        cross join lateral (
          select n.id, n.created_at, n.piece
          from private.link_search n
          where n.user_id = owner and n.created_at >= greatest(span.beginning, saved_since) and n.created_at <= span.ending
            and n.created_at < saved_before
            -- (No join: a plan for any numbers would hash the texts and not these.)
            and n.id not in (select k.id from public.links k where k.category_id = any (others))
          offset 0
        ) as s
      ) as r
      cross join lateral (
        select k.category_id from public.links k where k.id = r.id and k.category_id = any (categories) offset 0
      ) as l
      where private.is_promising_piece(r.piece, longest_first, patterns, alternatives)
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
    where private.is_promising_piece(r.piece, longest_first, patterns, alternatives)
    order by r.created_at desc, r.id desc
    limit most;
end
$$;

revoke all on function private.refresh_search_zones(integer), private.list_spans_to_read(uuid, uuid[], text[]) from public;
grant execute on function private.refresh_search_zones(integer) to service_role;
