-- Two remembered words are enough: what holds the whole term comes first, as before, then what holds every word of it, in any
-- order and in any field, then what holds some of them where the names of its category and folder hold the others. Words between quotation marks stay together, and a word with a hyphen before it must not occur.

-- What is asked for word by word, and what must not occur, of a normalised term. The twin of packages/domain/src/search-words.ts.
-- At most 32, longest first, as a long one is rarest; none that lies in another.
create function private.search_words(term text, out wanted text[], out unwanted text[])
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  together text[];
begin
  select array_agg(w.word) filter (where not w.is_unwanted), array_agg(w.word) filter (where w.is_unwanted)
  into together, unwanted
  from (
    select distinct btrim(coalesce(m.parts[2], m.parts[4]), ' ') as word, coalesce(m.parts[1], m.parts[3]) <> '' as is_unwanted
    from regexp_matches(left(term, 4000), '(-?)"([^"]*)"?|(-*)([^ "-][^ ]*)', 'g') with ordinality as m(parts, place)
    where m.place <= 32
  ) as w
  where w.word <> '';
  wanted := array(
    select t.word from unnest(together) as t(word)
    where not exists (select from unnest(together) as o(word) where o.word <> t.word and strpos(o.word, t.word) > 0)
    order by char_length(t.word) desc, t.word collate "C"
  );
  unwanted := coalesce(unwanted, '{}');
end
$$;

-- Compares a link's whole text.
create function private.link_holds(link_id uuid, needles text[], unwanted text[]) returns boolean
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  whole text := (select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = link_id);
begin
  return not exists (select from unnest(needles) as n where strpos(whole, n) = 0)
    and not exists (select from unnest(unwanted) as u where strpos(whole, u) > 0);
end
$$;

-- The caller's links that hold all of the needles and none of the unwanted, newest first, without those in `known`.
create function private.find_links(
  caller uuid, needles text[], unwanted text[], known uuid[], most bigint, skipped bigint
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
as $$
declare
  -- Pieces share 100 characters: a longer needle is looked for by its beginning and then compared whole.
  heads text[] := array(select left(n.needle, 100) from unnest(needles) with ordinality as n(needle, place) order by n.place);
  head text := heads[1];
  others text[] := heads[2:];
  is_many boolean := cardinality(heads) > 1;
  is_compared_whole boolean := cardinality(unwanted) > 0
    or exists (select from unnest(needles) as n where char_length(n) > 100);
  bits integer[];
  -- Looking at one bit costs a fifth of comparing all: four of them dismiss nearly every zone. All null: nothing to look at.
  first_bit integer;
  second_bit integer;
  third_bit integer;
  fourth_bit integer;
  covered timestamptz := coalesce(
    (select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity');
begin
  if covered > '-infinity' then
    bits := array(select unnest(private.search_gram_bits(h, true)) from unnest(heads) as h);
    first_bit := bits[1];
    second_bit := coalesce(bits[cardinality(bits) / 3], first_bit);
    third_bit := coalesce(bits[cardinality(bits) * 2 / 3], first_bit);
    fourth_bit := coalesce(bits[cardinality(bits)], first_bit);
  end if;
  -- Newest first by construction, so that the limit stops the scan: what no zone covers yet, then zone after zone.
  return query
    select hit.id
    from (
      (
        select distinct s.created_at, s.id
        from private.link_search s
        where s.user_id = caller and s.created_at > covered
          and case
            when strpos(s.piece, head) > 0
              and (not is_many or not exists (select from unnest(others) as o where strpos(s.piece, o) = 0))
            then not is_compared_whole or private.link_holds(s.id, needles, unwanted)
            -- The words of a long text may lie in different pieces of it; one of these is no last piece, and so of full length.
            else is_many and char_length(s.piece) = 600
              and exists (select from unnest(heads) as h where strpos(s.piece, h) > 0)
              and private.link_holds(s.id, needles, unwanted)
          end
          and (cardinality(known) = 0 or s.id not in (select unnest(known)))
        order by s.created_at desc, s.id desc
      )
      union all
      (
        select inside.created_at, inside.id
        from (
          select z.oldest, z.newest
          from private.link_search_zones z
          where z.user_id = caller and (
            first_bit is null or (
              get_bit(z.grams, first_bit) = 1 and get_bit(z.grams, third_bit) = 1
              and get_bit(z.grams, second_bit) = 1 and get_bit(z.grams, fourth_bit) = 1
              and not exists (select from unnest(bits) as place where get_bit(z.grams, place) = 0)
            )
          )
          order by z.newest desc
        ) as zone
        cross join lateral (
          select distinct s.created_at, s.id
          from private.link_search s
          where s.user_id = caller and s.created_at between zone.oldest and zone.newest
            and case
              when strpos(s.piece, head) > 0
                and (not is_many or not exists (select from unnest(others) as o where strpos(s.piece, o) = 0))
              then not is_compared_whole or private.link_holds(s.id, needles, unwanted)
              -- The words of a long text may lie in different pieces of it; one of these is no last piece, and so of full length.
              else is_many and char_length(s.piece) = 600
                and exists (select from unnest(heads) as h where strpos(s.piece, h) > 0)
                and private.link_holds(s.id, needles, unwanted)
            end
            and (cardinality(known) = 0 or s.id not in (select unnest(known)))
          order by s.created_at desc, s.id desc
        ) as inside
      )
      limit most offset skipped
    ) as hit;
end
$$;

-- The caller's links that hold some of the wanted words and none of the unwanted, where the names of their category and folder
-- hold the other wanted words; newest first. What holds all of them by itself is not among them, nor what holds none. Looked for
-- among the newest 3,000 links of such places, which keeps it as quick as the rest.
create function private.find_links_by_place(caller uuid, wanted text[], unwanted text[], most bigint)
  returns setof uuid
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  -- Pieces share 100 characters: what is as long lies whole in one of them, a longer word is compared with the whole text.
  is_compared_whole boolean := exists (select from unnest(wanted || unwanted) as w where char_length(w) > 100);
begin
  return query
    with place as materialized (
      select c.id, array(select w from unnest(wanted) as w where strpos(names.both, w) = 0) as missing
      from public.categories c
      join public.folders f on f.id = c.folder_id
      cross join lateral (select private.normalize_search_text(c.name || E'\n' || f.name) as "both") as names
      where c.user_id = caller
    ), near as materialized (
      select l.id, l.created_at, p.missing
      from place p
      join public.links l on l.category_id = p.id
      where cardinality(p.missing) < cardinality(wanted)
      order by l.created_at desc, l.id desc
      limit 3000
    )
    select n.id
    from near n
    cross join lateral (
      select array_agg(distinct w.word) as held
      from private.link_search s
      cross join unnest(wanted || unwanted) as w(word)
      where s.user_id = caller and s.created_at = n.created_at and s.id = n.id and strpos(s.piece, left(w.word, 100)) > 0
    ) as text
    where text.held @> n.missing and text.held && wanted
      and case
        when is_compared_whole then
          private.link_holds(n.id, n.missing, unwanted)
          and not private.link_holds(n.id, wanted, '{}')
          and exists (select from unnest(wanted) as w where private.link_holds(n.id, array[w], '{}'))
        else not text.held && unwanted and not text.held @> wanted
      end
    order by n.created_at desc, n.id desc
    limit most;
end
$$;

-- The caller's links with the whole term, newest first, then those with every word of it, then those with some of them in the
-- places that the others name; at most 50 a page, nothing for a blank term or a caller without an id.
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
    -- From the first on, as what holds the whole term is not to be found a second time by its words.
    found := array(select private.find_links(caller, array[whole], '{}', '{}', skipped + most, 0));
    if cardinality(found) < skipped + most then
      found := found || array(select private.find_links(
        caller, words.wanted, words.unwanted, found, skipped + most - cardinality(found), 0));
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
comment on function public.search_links(text, integer, integer) is
  'The caller''s links that contain the term, newest first, then those that contain all of its words, then those that contain some in a category or folder whose names contain the others. Nullable: description.';

revoke all on function private.search_words(text), private.link_holds(uuid, text[], text[]),
  private.find_links(uuid, text[], text[], uuid[], bigint, bigint),
  private.find_links_by_place(uuid, text[], text[], bigint) from public;
