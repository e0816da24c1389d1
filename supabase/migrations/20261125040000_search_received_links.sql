-- What others share with the caller is found, exactly as far as they may open it, and as public.search_links finds their own.

-- How well a text answers, as rankText of packages/domain/src/search-words.ts has it: 3 the whole, 2 every word, 1 some where the
-- place has the others, 0 not.
create function private.rank_text(body text, whole text, wanted text[], unwanted text[], place text) returns integer
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
declare
  word text;
  is_any_missing boolean := false;
  is_any_there boolean := false;
begin
  if strpos(body, whole) > 0 then
    return 3;
  end if;
  foreach word in array unwanted loop
    if strpos(body, word) > 0 then
      return 0;
    end if;
  end loop;
  foreach word in array wanted loop
    if strpos(body, word) > 0 then
      is_any_there := true;
    elsif strpos(place, word) > 0 then
      is_any_missing := true;
    else
      return 0;
    end if;
  end loop;
  return case when not is_any_there then 0 when is_any_missing then 1 else 2 end;
end
$$;

-- The words that have to be in a text: those that the places do not say. What has no words is looked for as it was typed. Pieces of
-- a text share 100 characters, so longer words are known by their beginnings.
create function private.needed_words(whole text, wanted text[], places text[]) returns text[]
  language sql
  immutable
  parallel safe
  set search_path = ''
as $$
  select case
    when cardinality(wanted) = 0 then array[left(whole, 100)]
    else array(
      select left(w.word, 100) from unnest(wanted) with ordinality as w(word, nth)
      where not exists (select from unnest(places) as p where strpos(p, w.word) > 0)
      order by w.nth
    )
  end
$$;

-- Whether a piece of a text belongs to a link that is worth comparing whole: it has all that is needed, or may have it with others.
-- One that is no last piece is of full length.
create function private.is_promising_piece(piece text, needed text[], patterns text[], alternatives text[]) returns boolean
  language sql
  immutable
  parallel safe
as $$
  select case
    when cardinality(needed) = 1 then strpos(piece, needed[1]) > 0
    when piece like all (patterns) then cardinality(needed) > 0 or piece like any (alternatives)
    else octet_length(piece) >= 600 and char_length(piece) = 600 and piece like any (alternatives)
  end
$$;

-- The newest of these links whose texts are promising, one category after the other. Of other rows of the owner nothing is read.
create function private.walk_category(
  category uuid, owner uuid, needed text[], wanted text[], saved_before timestamptz, saved_since timestamptz,
  looked_at bigint, most bigint
)
  returns table (id uuid, created_at timestamptz, category_id uuid)
  language plpgsql
  stable
  set search_path = ''
  -- One plan for every question: walk the category in the order of the answer and stop when there is enough.
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_sort = off
  set enable_hashagg = off
as $$
declare
  patterns text[] := private.contains_patterns(needed);
  alternatives text[] := private.contains_patterns(needed || wanted);
begin
  if needed = '{""}' then
    return query
      select l.id, l.created_at, category from public.links l
      where l.category_id = category and l.created_at < saved_before and l.created_at >= saved_since
      order by l.created_at desc, l.id desc
      limit least(looked_at, most);
    return;
  end if;
  return query
    select distinct_hit.id, distinct_hit.created_at, category
    from (
      select distinct l.created_at, l.id
      from (
        select w.created_at, w.id from public.links w
        where w.category_id = category and w.created_at < saved_before and w.created_at >= saved_since
        order by w.created_at desc, w.id desc
        limit looked_at
      ) as l
      join private.link_search s on s.user_id = owner and s.created_at = l.created_at and s.id = l.id
      where private.is_promising_piece(s.piece, needed, patterns, alternatives)
      order by l.created_at desc, l.id desc
    ) as distinct_hit
    limit most;
end
$$;

-- The same for categories that are a large part of all that their owner has: the texts are read in one go, which costs a quarter. What
-- is in none of these categories is put aside before its text is looked at, so that the time it takes tells nothing about it.
create function private.scan_categories(
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
begin
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

-- Which categories the caller may open that are somebody else's. As the policies on links have it; an address that is not, or no
-- longer, the caller's confirmed one opens nothing here, whatever their token says.
create function private.received_categories() returns setof public.categories
  language sql
  stable
  set search_path = ''
as $$
  select c.*
  from unnest(private.openable_category_ids()) as o(id)
  join public.categories c on c.id = o.id
  where c.user_id <> private.caller_id() and exists (
    select from auth.users u
    where u.id = private.caller_id() and u.email_confirmed_at is not null and lower(u.email) = lower(auth.email())
  )
$$;

-- Each question reads 600,000 texts at most, those of the owners first who share little: nobody can push the others out by sharing much.
create function public.search_received_links(
  term text default '', owner text default null, site text default null, category text default null, kind text default null,
  saved_before timestamptz default null, saved_since timestamptz default null, favorite boolean default false,
  max_results integer default 10, page integer default 1
)
  returns table (
    id uuid, title text, description text, url text, category_id uuid, category_name text, owner_name text
  )
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  whole text := coalesce(btrim(private.normalize_search_text(term)), '');
  host text := lower(left(site, 500));
  owner_wanted text := btrim(private.normalize_search_text(left(owner, 500)));
  category_wanted text := btrim(private.normalize_search_text(left(category, 500)));
  until timestamptz := coalesce(saved_before, 'infinity');
  since timestamptz := coalesce(saved_since, '-infinity');
  most integer := least(greatest(coalesce(max_results, 10), 0), 50);
  skipped bigint := most * (greatest(coalesce(page, 1), 1)::bigint - 1);
  words record;
  is_narrowed boolean := host is not null or kind is not null or favorite is true;
  is_ranked boolean;
  is_long boolean := char_length(whole) > 100;
  enough bigint;
begin
  if caller is null or most = 0 or (
    whole = '' and owner is null and category is null and saved_before is null and saved_since is null and not is_narrowed
  ) then
    return;
  end if;
  words := private.search_words(whole);
  -- What is one word, or none, and known by it: then the newest are the best, and no more are looked for.
  is_ranked := is_long or (cardinality(words.wanted) > 0 and words.wanted <> array[whole]);
  enough := case when not is_ranked and not is_narrowed then skipped + most end;
  return query
    with received as materialized (
      select c.id, c.user_id, c.name, c.name_users as owner_name, private.normalize_search_text(c.name) as place,
        private.normalize_search_text(coalesce(c.name_users, '')) as owner_place
      from private.received_categories() c
    ), asked as materialized (
      select r.*, coalesce(n.link_count, 0)::bigint as link_count,
        sum(coalesce(n.link_count, 0)) over (partition by r.user_id) as owner_count
      from received r
      left join public.category_counts n on n.category_id = r.id
      where (category_wanted is null
          or r.place = any (private.names_match(array(select o.place from received o), category_wanted)))
        and (owner_wanted is null
          or r.owner_place = any (private.names_match(array(select o.owner_place from received o), owner_wanted))
          -- A whole address only: nobody learns one by guessing at parts of it.
          or exists (select from auth.users u where u.id = r.user_id and lower(u.email) = lower(btrim(owner))))
    ), sources as materialized (
      select s.*, sum(s.texts) over (order by s.texts, s.user_id) as texts_so_far
      from (
        select a.user_id, array_agg(a.id) as ids, array_agg(a.place) as places,
          -- One text alone costs as much as four in a row.
          whole <> '' and a.owner_count > 1000 and a.owner_count * 4 >= l.link_count as is_scanned,
          least(a.owner_count * 4, case when a.owner_count > 1000 then l.link_count end) as texts
        from asked a
        join public.library_counts l on l.user_id = a.user_id
        group by a.user_id, a.owner_count, l.link_count
      ) as s
    ), candidates as materialized (
      select f.*
      from sources s
      join asked a on a.user_id = s.user_id
      cross join lateral private.walk_category(
        a.id, a.user_id, private.needed_words(whole, words.wanted, array[a.place]), words.wanted, until, since,
        case when whole = '' then 40000 / (select count(*) from asked) else 20000 end, enough
      ) as f
      where not s.is_scanned and s.texts_so_far <= 600000
      union all
      select f.*
      from sources s
      cross join lateral private.scan_categories(
        s.ids, s.user_id, private.needed_words(whole, words.wanted, s.places), words.wanted, until, since, enough
      ) as f
      where s.is_scanned and s.texts_so_far <= 600000
    )
    select l.id, l.title, l.description, l.url, l.category_id, hit.name, hit.owner_name
    from (
      select k.id, k.created_at, k.name, k.owner_name, k.rank
      from (
        select c.id, c.created_at, a.name, a.owner_name, case
          when whole = '' or not is_ranked then 3
          else private.rank_text(case
            -- A longer word may lie in none of the pieces.
            when is_long then (
              select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = c.id
            )
            else (
              select string_agg(s.piece, E'\n') from private.link_search s
              where s.user_id = a.user_id and s.created_at = c.created_at and s.id = c.id
            )
          end, whole, words.wanted, words.unwanted, a.place)
        end as rank
        from (
          select c.* from candidates c
          where not is_narrowed or exists (
            select from public.links l
            cross join lateral (select lower(l.url) as address offset 0) as lower
            where l.id = c.id
              and (favorite is not true or l.id in (select f.link_id from public.favorites f where f.user_id = caller))
              and (host is null or (strpos(lower.address, host) > 0 and strpos(
                '.' || coalesce(substring(lower.address from '^https?://(?:[^/?#]*@)?([^/?#:]+)'), '') || '.',
                '.' || host || '.') > 0))
              and (kind is null or private.is_link_kind(lower.address, kind))
          )
          -- So many texts are compared whole.
          order by c.created_at desc, c.id desc limit 20000
        ) as c
        join asked a on a.id = c.category_id
      ) as k
      where k.rank > 0
      order by k.rank desc, k.created_at desc, k.id desc
      limit most offset skipped
    ) as hit
    join public.links l on l.id = hit.id
    order by hit.rank desc, hit.created_at desc, hit.id desc;
end
$$;
comment on function public.search_received_links(
  text, text, text, text, text, timestamptz, timestamptz, boolean, integer, integer
) is 'Links of the categories shared with the caller, as far as they may open them, that the operators leave and the term finds. Nullable: description, owner_name.';

revoke all on function private.rank_text(text, text, text[], text[], text),
  private.needed_words(text, text[], text[]),
  private.is_promising_piece(text, text[], text[], text[]),
  private.walk_category(uuid, uuid, text[], text[], timestamptz, timestamptz, bigint, bigint),
  private.scan_categories(uuid[], uuid, text[], text[], timestamptz, timestamptz, bigint),
  private.received_categories() from public;
revoke all on function public.search_received_links(
  text, text, text, text, text, timestamptz, timestamptz, boolean, integer, integer
) from public, anon, service_role;
grant execute on function public.search_received_links(
  text, text, text, text, text, timestamptz, timestamptz, boolean, integer, integer
) to authenticated;
