-- Questions of several words read a library once. They read it three times, and asked more of each row than it takes: a zone was
-- compared bit by bit, a word looked for by a query of its own, a text normalised again to see that a word does not occur. What is
-- found, and in which order, is as before (see 20261123007000_search_every_word.sql).

-- What `like` takes for texts that contain these words. (`like all` compares without starting a query for each row.)
create function private.contains_patterns(words text[]) returns text[]
  language sql immutable parallel safe
  set search_path = ''
as $$
  select array(
    select '%' || regexp_replace(left(w.word, 100), '([\\%_])', '\\\1', 'g') || '%'
    from unnest(words) with ordinality as w(word, place) order by w.place
  )
$$;

create function private.search_mask(bits integer[]) returns bit
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  mask bit(8192) := 0::bit(8192);
  place integer;
begin
  foreach place in array bits loop
    mask := set_bit(mask, place, 1);
  end loop;
  return mask;
end
$$;

-- The rarest first, judged by the newest zones of the caller: few zones pass those, and fewer are compared whole.
create function private.order_by_rarity(caller uuid, bits integer[]) returns integer[]
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return array(
    select b.place
    from (select distinct place from unnest(bits) as u(place)) as b
    cross join (
      select z.grams from private.link_search_zones z where z.user_id = caller order by z.newest desc limit 16
    ) as recent
    group by b.place
    order by sum(get_bit(recent.grams, b.place)), b.place
  );
end
$$;

-- As private.link_holds, for words of at most 100 characters: such a one lies whole in one of the pieces.
create function private.pieces_hold(caller uuid, moment timestamptz, link_id uuid, needles text[], unwanted text[]) returns boolean
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  whole text := (
    select string_agg(s.piece, E'\n') from private.link_search s
    where s.user_id = caller and s.created_at = moment and s.id = link_id
  );
begin
  return not exists (select from unnest(needles) as n where strpos(whole, n) = 0)
    and not exists (select from unnest(unwanted) as u where strpos(whole, u) > 0);
end
$$;

-- As before, and only those of the moment `until` and older.
drop function private.find_links(uuid, text[], text[], uuid[], bigint, bigint);
create function private.find_links(
  caller uuid, needles text[], unwanted text[], known uuid[], most bigint, skipped bigint, until timestamptz default 'infinity'
)
  returns setof uuid
  language plpgsql
  stable
  set search_path = ''
  -- One plan for every term: walk the indexes in the order of the answer and stop when there is enough.
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_sort = off
  set enable_hashagg = off
as $$
declare
  -- Pieces share 100 characters: a longer needle is looked for by its beginning and then compared whole.
  heads text[] := array(select left(n.needle, 100) from unnest(needles) with ordinality as n(needle, place) order by n.place);
  head text := heads[1];
  patterns text[] := private.contains_patterns(heads);
  is_many boolean := cardinality(heads) > 1;
  is_compared_whole boolean := cardinality(unwanted) > 0
    or exists (select from unnest(needles) as n where char_length(n) > 100);
  is_any_new boolean := cardinality(known) = 0;
  bits integer[];
  -- Looking at one bit costs a tenth of comparing all: four rare ones dismiss nearly every zone. All null: nothing to look at.
  first_bit integer;
  second_bit integer;
  third_bit integer;
  fourth_bit integer;
  mask bit(8192);
  covered timestamptz := coalesce(
    (select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity');
begin
  if covered > '-infinity' then
    bits := private.order_by_rarity(
      caller, array(select unnest(private.search_gram_bits(h, true)) from unnest(heads) as h));
    first_bit := bits[1];
    second_bit := coalesce(bits[2], first_bit);
    third_bit := coalesce(bits[3], first_bit);
    fourth_bit := coalesce(bits[4], first_bit);
    mask := private.search_mask(bits);
  end if;
  -- Newest first by construction, so that the limit stops the scan: what no zone covers yet, then zone after zone.
  return query
    select hit.id
    from (
      (
        select distinct s.created_at, s.id
        from private.link_search s
        where s.user_id = caller and s.created_at > covered and s.created_at <= until
          and case
            when strpos(s.piece, head) > 0 and (not is_many or s.piece like all (patterns))
            then not is_compared_whole or private.link_holds(s.id, needles, unwanted)
            -- The words of a long text may lie in different pieces of it; one of these is no last piece, and so of full length.
            when is_many and octet_length(s.piece) >= 600
            then s.piece like any (patterns) and char_length(s.piece) = 600 and private.link_holds(s.id, needles, unwanted)
            else false
          end
          and (is_any_new or s.id not in (select unnest(known)))
        order by s.created_at desc, s.id desc
      )
      union all
      (
        select inside.created_at, inside.id
        from (
          select z.oldest, z.newest
          from private.link_search_zones z
          where z.user_id = caller and z.oldest <= until and (
            first_bit is null or (
              get_bit(z.grams, first_bit) = 1 and get_bit(z.grams, second_bit) = 1
              and get_bit(z.grams, third_bit) = 1 and get_bit(z.grams, fourth_bit) = 1
              and z.grams & mask = mask
            )
          )
          order by z.newest desc
        ) as zone
        cross join lateral (
          select distinct s.created_at, s.id
          from private.link_search s
          where s.user_id = caller and s.created_at >= zone.oldest and s.created_at <= least(zone.newest, until)
            and case
              when strpos(s.piece, head) > 0 and (not is_many or s.piece like all (patterns))
              then not is_compared_whole or private.link_holds(s.id, needles, unwanted)
              when is_many and octet_length(s.piece) >= 600
              then s.piece like any (patterns) and char_length(s.piece) = 600 and private.link_holds(s.id, needles, unwanted)
              else false
            end
            and (is_any_new or s.id not in (select unnest(known)))
          order by s.created_at desc, s.id desc
        ) as inside
      )
      limit most offset skipped
    ) as hit;
end
$$;

-- The caller's newest links that hold every wanted word, at most `most`: first those with the whole term, which the words are taken from
-- and which counts as written, then those without an unwanted word. For terms of at most 100 characters. One walk from the newest to
-- the oldest: what holds the whole term holds its words.
create function private.find_links_by_words(caller uuid, whole text, wanted text[], unwanted text[], most bigint)
  returns uuid[]
  language plpgsql
  stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_sort = off
  set enable_hashagg = off
as $$
declare
  head text := wanted[1];
  patterns text[] := private.contains_patterns(wanted);
  unwanted_patterns text[] := private.contains_patterns(unwanted);
  is_many boolean := cardinality(wanted) > 1;
  takes_all boolean := cardinality(unwanted) = 0;
  bits integer[];
  first_bit integer;
  second_bit integer;
  third_bit integer;
  fourth_bit integer;
  mask bit(8192);
  covered timestamptz := coalesce(
    (select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity');
  hit record;
  whole_ones uuid[] := '{}';
  others uuid[] := '{}';
begin
  if covered > '-infinity' then
    bits := private.order_by_rarity(
      caller, array(select unnest(private.search_gram_bits(w, true)) from unnest(wanted) as w));
    first_bit := bits[1];
    second_bit := coalesce(bits[2], first_bit);
    third_bit := coalesce(bits[3], first_bit);
    fourth_bit := coalesce(bits[4], first_bit);
    mask := private.search_mask(bits);
  end if;
  for hit in
    (
      select s.created_at, s.id, bool_or(strpos(s.piece, whole) > 0) as is_whole
      from private.link_search s
      where s.user_id = caller and s.created_at > covered
        and case
          when strpos(s.piece, head) > 0 and (not is_many or s.piece like all (patterns)) then
            takes_all or strpos(s.piece, whole) > 0 or (
              not s.piece like any (unwanted_patterns)
              and private.pieces_hold(caller, s.created_at, s.id, '{}', unwanted)
            )
          when is_many and octet_length(s.piece) >= 600 then
            s.piece like any (patterns) and char_length(s.piece) = 600
            and private.pieces_hold(caller, s.created_at, s.id, wanted, unwanted)
          else false
        end
      group by s.created_at, s.id
      order by s.created_at desc, s.id desc
    )
    union all
    (
      select inside.created_at, inside.id, inside.is_whole
      from (
        select z.oldest, z.newest
        from private.link_search_zones z
        where z.user_id = caller and (
          first_bit is null or (
            get_bit(z.grams, first_bit) = 1 and get_bit(z.grams, second_bit) = 1
            and get_bit(z.grams, third_bit) = 1 and get_bit(z.grams, fourth_bit) = 1
            and z.grams & mask = mask
          )
        )
        order by z.newest desc
      ) as zone
      cross join lateral (
        select s.created_at, s.id, bool_or(strpos(s.piece, whole) > 0) as is_whole
        from private.link_search s
        where s.user_id = caller and s.created_at >= zone.oldest and s.created_at <= zone.newest
          and case
            when strpos(s.piece, head) > 0 and (not is_many or s.piece like all (patterns)) then
              takes_all or strpos(s.piece, whole) > 0 or (
                not s.piece like any (unwanted_patterns)
                and private.pieces_hold(caller, s.created_at, s.id, '{}', unwanted)
              )
            when is_many and octet_length(s.piece) >= 600 then
              s.piece like any (patterns) and char_length(s.piece) = 600
              and private.pieces_hold(caller, s.created_at, s.id, wanted, unwanted)
            else false
          end
        group by s.created_at, s.id
        order by s.created_at desc, s.id desc
      ) as inside
    )
  loop
    if hit.is_whole then
      whole_ones := whole_ones || hit.id;
    else
      others := others || hit.id;
    end if;
    exit when cardinality(whole_ones) = most;
    -- Enough of these: further back only the whole term counts, which fewer zones and rows come into question for.
    if cardinality(others) = most then
      whole_ones := whole_ones || array(select private.find_links(
        caller, array[whole], '{}', whole_ones, most - cardinality(whole_ones), 0, hit.created_at));
      exit;
    end if;
  end loop;
  return (whole_ones || others)[:most];
end
$$;

-- As before. The newest 3,000 links of such places come from the places' own indexes. Where they are much of what the person has added
-- since, all of their texts are read in one go, else one by one, newest first, until there is enough.
create or replace function private.find_links_by_place(caller uuid, wanted text[], unwanted text[], most bigint)
  returns setof uuid
  language plpgsql
  stable
  set search_path = ''
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_nestloop = off
as $$
declare
  -- Pieces share 100 characters: what is as long lies whole in one of them, a longer word is compared with the whole text.
  is_compared_whole boolean := exists (select from unnest(wanted || unwanted) as w where char_length(w) > 100);
  patterns text[] := private.contains_patterns(wanted);
  unwanted_patterns text[] := private.contains_patterns(unwanted);
  place_ids uuid[];
  place_rows integer[];
  -- What a text must hold in addition to the names of its place: one row for each way to name some of the words, in the order of the
  -- words, with '%' for those that are named.
  missing text[];
  -- The longest of each row as it is written, '' where the names hold every word.
  longest text[];
  since timestamptz := '-infinity';
  near_links uuid[];
  near_moments timestamptz[];
  near_rows integer[];
  oldest timestamptz;
  enough bigint;
  is_dense boolean;
begin
  with place as materialized (
    select c.id, array(
      select case when strpos(names.both, w.word) = 0 then w.pattern else '%' end
      from unnest(wanted, patterns) with ordinality as w(word, pattern, place) order by w.place
    ) as parts
    from public.categories c
    join public.folders f on f.id = c.folder_id
    cross join lateral (select private.normalize_search_text(c.name || E'\n' || f.name) as "both") as names
    where c.user_id = caller
  ), ways as materialized (
    select p.parts, row_number() over () as place
    from (select distinct o.parts from place o where '%' = any (o.parts)) as p
  )
  select array_agg(p.id), array_agg(w.place), (select array_agg(o.parts order by o.place) from ways o), (
    select array_agg(coalesce((
      select left(u.word, 100) from unnest(wanted, patterns) with ordinality as u(word, pattern, place)
      where u.pattern = any (o.parts) order by u.place limit 1
    ), '') order by o.place) from ways o
  )
  into place_ids, place_rows, missing, longest
  from place p join ways w on w.parts = p.parts;
  if place_ids is null then
    return;
  end if;

  if (select sum(n.link_count) from public.category_counts n where n.category_id = any (place_ids)) > 3000 then
    -- As many from each as make 3,000 together: none that is older than all of these belongs to the newest 3,000.
    select case when count(*) >= 3000 then min(l.created_at) else since end into since
    from unnest(place_ids) as p(id)
    cross join lateral (
      select o.created_at from public.links o where o.category_id = p.id
      order by o.created_at desc, o.id desc limit 2999 / cardinality(place_ids) + 1
    ) as l;
  end if;
  select array_agg(l.id), array_agg(l.created_at), array_agg(p.place), min(l.created_at)
  into near_links, near_moments, near_rows, oldest
  from unnest(place_ids, place_rows) as p(id, place)
  cross join lateral (
    select o.id, o.created_at from public.links o where o.category_id = p.id and o.created_at >= since
    order by o.created_at desc, o.id desc limit 3000
  ) as l;
  if cardinality(near_links) > 3000 then
    select array_agg(n.id), array_agg(n.moment), array_agg(n.way), min(n.moment)
    into near_links, near_moments, near_rows, oldest
    from (
      select o.id, o.moment, o.way from unnest(near_links, near_moments, near_rows) as o(id, moment, way)
      order by o.moment desc, o.id desc limit 3000
    ) as n;
  end if;
  enough := 3 * cardinality(near_links);
  is_dense := enough >= (select n.link_count from public.library_counts n where n.user_id = caller) or enough >= (
    select count(*) from (
      select from public.links l where l.user_id = caller and l.created_at >= oldest limit enough + 1
    ) as recent
  );

  -- A missing word is looked for in each text, the others only where it is.
  if is_dense then
    return query
      select n.id
      from (
        select distinct s.created_at, s.id, o.way
        from private.link_search s
        join unnest(near_links, near_rows) as o(id, way) on o.id = s.id
        where s.user_id = caller and s.created_at >= oldest
          and case
            when longest[o.way] = '' then s.piece like any (patterns)
            else strpos(s.piece, longest[o.way]) > 0
          end
      ) as n
      cross join lateral (
        select string_agg(s.piece, E'\n') as whole
        from private.link_search s
        where s.user_id = caller and s.created_at = n.created_at and s.id = n.id
      ) as text
      where text.whole like all (missing[n.way:n.way]) and text.whole like any (patterns)
        and case
          when is_compared_whole then
            private.link_holds(n.id, array(
              select w.word from unnest(wanted, patterns) as w(word, pattern) where w.pattern = any (missing[n.way:n.way])
            ), unwanted)
            and not private.link_holds(n.id, wanted, '{}')
            and exists (select from unnest(wanted) as w where private.link_holds(n.id, array[w], '{}'))
          else not text.whole like any (unwanted_patterns) and not text.whole like all (patterns)
        end
      order by n.created_at desc, n.id desc
      limit most;
  else
    return query
      select n.id
      from (
        select * from unnest(near_links, near_moments, near_rows) as o(id, moment, way) order by o.moment desc, o.id desc
      ) as n
      cross join lateral (
        select string_agg(s.piece, E'\n') as whole
        from private.link_search s
        where s.user_id = caller and s.created_at = n.moment and s.id = n.id
      ) as text
      where strpos(text.whole, longest[n.way]) > 0 and text.whole like all (missing[n.way:n.way]) and text.whole like any (patterns)
        and case
          when is_compared_whole then
            private.link_holds(n.id, array(
              select w.word from unnest(wanted, patterns) as w(word, pattern) where w.pattern = any (missing[n.way:n.way])
            ), unwanted)
            and not private.link_holds(n.id, wanted, '{}')
            and exists (select from unnest(wanted) as w where private.link_holds(n.id, array[w], '{}'))
          else not text.whole like any (unwanted_patterns) and not text.whole like all (patterns)
        end
      -- Newest first by construction: a limit that is reached ends the reading.
      limit most;
  end if;
end
$$;

create or replace function public.search_links(term text, max_results integer default 10, page integer default 1)
  returns table (id uuid, title text, description text, url text, category_id uuid, category_name text)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  whole text := btrim(private.normalize_search_text(term));
  caller uuid := private.caller_id();
  most integer := least(greatest(coalesce(max_results, 10), 0), 50);
  skipped bigint := most * (greatest(coalesce(page, 1), 1)::bigint - 1);
  words record;
  found uuid[];
begin
  if caller is null or whole is null or whole = '' or most = 0 then
    return;
  end if;
  words := private.search_words(whole);
  if cardinality(words.wanted) = 0 or words.wanted = array[whole] then
    found := array(select private.find_links(caller, array[whole], '{}', '{}', most, skipped));
  else
    if char_length(whole) <= 100 then
      found := private.find_links_by_words(caller, whole, words.wanted, words.unwanted, skipped + most);
    else
      -- From the first on, as what holds the whole term is not to be found a second time by its words.
      found := array(select private.find_links(caller, array[whole], '{}', '{}', skipped + most, 0));
      if cardinality(found) < skipped + most then
        found := found || array(select private.find_links(
          caller, words.wanted, words.unwanted, found, skipped + most - cardinality(found), 0));
      end if;
    end if;
    if cardinality(found) < skipped + most and cardinality(words.wanted) > 1 then
      found := found || array(select private.find_links_by_place(
        caller, words.wanted, words.unwanted, skipped + most - cardinality(found)));
    end if;
    found := found[skipped + 1:];
  end if;
  return query
    select l.id, l.title, l.description, l.url, l.category_id, c.name
    from unnest(found) with ordinality as hit(id, place)
    join public.links l on l.id = hit.id
    join public.categories c on c.id = l.category_id
    order by hit.place;
end
$$;

revoke all on function private.contains_patterns(text[]), private.search_mask(integer[]), private.order_by_rarity(uuid, integer[]),
  private.pieces_hold(uuid, timestamptz, uuid, text[], text[]),
  private.find_links(uuid, text[], text[], uuid[], bigint, bigint, timestamptz),
  private.find_links_by_words(uuid, text, text[], text[], bigint) from public;
