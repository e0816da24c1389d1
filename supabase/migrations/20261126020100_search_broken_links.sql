-- 'é:quebrado': the links that private.failing_links knows to be broken, as one more operator of a search and of a count.
drop function public.search_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, integer, integer);
drop function public.count_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, integer);
drop function private.find_links_left(uuid, text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, bigint);

-- What the operators leave of the caller's links and the term finds, at most `reach` of them: the whole term, every word, some words and
-- the names of the place, each newest first. Words are looked for in the newest 20,000 links that the operators leave, which bounds what
-- one question costs. Of several tags each is meant. Null: not asked for.
create function private.find_links_left(
  caller uuid, whole text, site text, folder text, category text, kind text, saved_before timestamptz, saved_since timestamptz,
  favorite boolean, tags text[], untagged boolean, broken boolean, reach bigint
) returns uuid[]
  language plpgsql
  stable
  set search_path = ''
  -- Each question has another way in: by category, by time, by star.
  set plan_cache_mode = force_custom_plan
as $$
declare
  host text := lower(left(site, 500));
  is_long boolean := char_length(whole) > 100;
  words record;
  patterns text[];
  unwanted_patterns text[];
  place_ids uuid[];
  -- The tags that hold one of the words: only their names can change what is found.
  word_tags uuid[];
  -- What the first name asks for, one tag or several, and the others: a link has one of each.
  tag_names text[];
  first_tag uuid;
  first_tags uuid[];
  other_tags uuid[];
  other_names integer[];
begin
  words := private.search_words(whole);
  -- Whole words, not their beginnings: what they are compared with is the whole text.
  patterns := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(words.wanted) as w);
  unwanted_patterns := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(words.unwanted) as w);
  if folder is not null or category is not null then
    with place as materialized (
      select c.id, private.normalize_search_text(c.name) as name, private.normalize_search_text(f.name) as folder_name
      from public.categories c join public.folders f on f.id = c.folder_id
      where c.user_id = caller
    )
    select coalesce(array_agg(p.id), '{}') into place_ids
    from place p
    where (folder is null or p.folder_name = any (private.names_match(
        array(select o.folder_name from place o), btrim(private.normalize_search_text(left(folder, 500))))))
      and (category is null or p.name = any (private.names_match(
        array(select o.name from place o), btrim(private.normalize_search_text(left(category, 500))))));
  end if;

  word_tags := private.tags_holding(caller, words.wanted || words.unwanted || whole);
  if cardinality(tags) > 0 then
    tag_names := array(select t.folded from public.tags t where t.user_id = caller);
    select array_agg(n.id) filter (where n.place = 1), array_agg(n.id) filter (where n.place > 1),
      array_agg(n.place) filter (where n.place > 1)
    into first_tags, other_tags, other_names
    from (
      select t.id, w.place::integer
      from unnest(tags[1:20]) with ordinality as w(name, place)
      cross join lateral (
        select private.names_match(tag_names, btrim(private.normalize_search_text(left(w.name, 500)))) as names offset 0
      ) as m
      join public.tags t on t.user_id = caller and t.folded = any (m.names)
    ) as n;
    if (select count(distinct o) from unnest(other_names) as o) < cardinality(tags[2:20]) or first_tags is null then
      return '{}';
    end if;
    first_tag := case when cardinality(first_tags) = 1 then first_tags[1] end;
  end if;
  -- A tag and nothing else, as a press on it asks: reading ends with the page.
  if first_tag is not null and other_tags is null and whole = '' and place_ids is null and host is null and kind is null
    and saved_before is null and saved_since is null and untagged is not true and favorite is not true and broken is not true then
    return array(
      select k.link_id from public.link_tags k where k.tag_id = first_tag order by k.saved_at desc, k.link_id desc limit reach
    );
  end if;

  return array(
    with candidates as (
      select l.id, l.created_at, l.url, l.category_id from public.links l where first_tags is null and l.user_id = caller
      union all
      -- The newest links of a tag in their order: reading ends where there is enough.
      select l.id, k.saved_at, l.url, l.category_id from public.link_tags k join public.links l on l.id = k.link_id
      where first_tag is not null and k.tag_id = first_tag
      union all
      select l.id, l.created_at, l.url, l.category_id from public.links l
      where first_tags is not null and first_tag is null
        and l.id in (select k.link_id from public.link_tags k where k.tag_id = any (first_tags))
    ), remaining as materialized (
      select l.id, l.created_at
      from candidates l
      -- Once a link, however often it is looked at.
      cross join lateral (select lower(l.url) as address offset 0) as lower
      where (place_ids is null or l.category_id = any (place_ids))
        and (saved_before is null or l.created_at < saved_before)
        and (saved_since is null or l.created_at >= saved_since)
        and (host is null or (strpos(lower.address, host) > 0 and strpos(
          '.' || coalesce(substring(lower.address from '^https?://(?:[^/?#]*@)?([^/?#:]+)'), '') || '.', '.' || host || '.') > 0))
        and (kind is null or private.is_link_kind(lower.address, kind))
        and (other_tags is null or (
          select count(distinct o.name)
          from public.link_tags k join unnest(other_tags, other_names) as o(tag_id, name) on o.tag_id = k.tag_id
          where k.link_id = l.id
        ) = cardinality(tags[2:20]))
        and (untagged is not true or not exists (select from public.link_tags k where k.link_id = l.id))
        and (favorite is not true or l.id in (select f.link_id from public.favorites f where f.user_id = caller))
        and (broken is not true or l.id in (select f.link_id from private.failing_links f where f.user_id = caller and f.broken))
      order by l.created_at desc, l.id desc
      limit case when whole = '' then reach else 20000 end
    ), ranked as (
      select r.id, r.created_at, case
        when whole = '' or strpos(text.body, whole) > 0 then 3
        when cardinality(words.wanted) = 0 or text.body like any (unwanted_patterns) then 0
        when text.body like all (patterns) then 2
        when text.body like any (patterns) and not exists (
          select from unnest(words.wanted) as w
          where strpos(text.body, w) = 0 and strpos((
            select private.normalize_search_text(c.name || E'\n' || f.name)
            from public.links l join public.categories c on c.id = l.category_id join public.folders f on f.id = c.folder_id
            where l.id = r.id
          ), w) = 0
        ) then 1
        else 0
      end as rank
      from remaining r
      cross join lateral (
        select case
          when whole = '' then ''
          -- A longer word may lie in none of the pieces.
          when is_long then (
            select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = r.id
          )
          else (
            select string_agg(s.piece, E'\n') from private.link_search s
            where s.user_id = caller and s.created_at = r.created_at and s.id = r.id
          )
        -- A line for each tag: no term matches across two.
        end || case when cardinality(word_tags) > 0 then coalesce((
          select E'\n' || string_agg(t.folded, E'\n') from public.link_tags k join public.tags t on t.id = k.tag_id
          where k.link_id = r.id and k.tag_id = any (word_tags)
        ), '') else '' end as body
        offset 0
      ) as text
    )
    select r.id from ranked r where r.rank > 0
    order by r.rank desc, r.created_at desc, r.id desc limit reach
  );
end
$$;

-- What a term finds of all of the caller's links, as above. A word that must not occur and lies in a tag is asked for where texts and tags
-- are compared as one.
create or replace function private.find_links_of_term(caller uuid, whole text, reach bigint) returns uuid[]
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  words record;
  found uuid[];
  word_tags uuid[];
begin
  words := private.search_words(whole);
  if cardinality(words.unwanted) > 0 and cardinality(private.tags_holding(caller, words.unwanted)) > 0 then
    return private.find_links_left(caller, whole, null, null, null, null, null, null, false, null, false, false, reach);
  end if;
  word_tags := private.tags_holding(caller, words.wanted || whole);
  if cardinality(words.wanted) = 0 or words.wanted = array[whole] then
    found := array(select private.find_links(caller, array[whole], '{}', '{}', reach, 0));
  else
    if char_length(whole) <= 100 then
      found := private.find_links_by_words(caller, whole, words.wanted, words.unwanted, reach);
    else
      found := array(select private.find_links(caller, array[whole], '{}', '{}', reach, 0));
      if cardinality(found) < reach then
        found := found || array(select private.find_links(
          caller, words.wanted, words.unwanted, found, reach - cardinality(found), 0));
      end if;
    end if;
    if cardinality(found) < reach and cardinality(words.wanted) > 1 then
      found := found || array(select private.find_links_by_place(
        caller, words.wanted, words.unwanted, reach - cardinality(found)));
    end if;
  end if;
  if cardinality(word_tags) > 0 then
    -- What the text alone finds and what tags find are each in order: the first ones of both hold the first ones of all.
    found := private.join_found_by_tag(caller, whole, words.wanted, words.unwanted, word_tags, found, reach);
  end if;
  return found;
end
$$;

create function public.search_links_by(
  term text default '', site text default null, folder text default null, category text default null, kind text default null,
  saved_before timestamptz default null, saved_since timestamptz default null, favorite boolean default false,
  tags text[] default null, untagged boolean default false, broken boolean default false, max_results integer default 10, page integer default 1
)
  returns table (id uuid, title text, description text, url text, category_id uuid, category_name text)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  whole text := coalesce(btrim(private.normalize_search_text(term)), '');
  most integer := least(greatest(coalesce(max_results, 10), 0), 50);
begin
  if caller is not null and most > 0 then
    return query select * from private.page_of_links(caller, whole, private.find_links_left(
      caller, whole, site, folder, category, kind, saved_before, saved_since, favorite, tags, untagged, broken,
      private.reach_of_page(most, page)
    ), most, page);
  end if;
end
$$;

comment on function public.search_links_by(
  text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, boolean, integer, integer
) is 'The caller''s links that the operators leave and the term finds, as search_links orders them. Nullable: description.';

-- Of the links that public.search_links_by finds, how many there are, at most `max_count`; without any operator of those that
-- public.search_links finds. What may narrow a search there has to narrow it here: a test compares the two.
create function public.count_links_by(
  term text default '', site text default null, folder text default null, category text default null, kind text default null,
  saved_before timestamptz default null, saved_since timestamptz default null, favorite boolean default false,
  tags text[] default null, untagged boolean default false, broken boolean default false, max_count integer default 1000
)
  returns integer
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  whole text := coalesce(btrim(private.normalize_search_text(term)), '');
  most integer := least(greatest(coalesce(max_count, 1000), 0), 1000);
  is_filtered boolean := num_nonnulls(site, folder, category, kind, saved_before, saved_since) > 0
    or favorite is true or untagged is true or broken is true or cardinality(tags) > 0;
begin
  if caller is null or most = 0 then
    return 0;
  elsif is_filtered is true then
    return cardinality(private.find_links_left(
      caller, whole, site, folder, category, kind, saved_before, saved_since, favorite, tags, untagged, broken, most));
  elsif whole = '' then
    return (select least(n.link_count, most) from public.library_counts n where n.user_id = caller);
  end if;
  return cardinality(private.find_links_of_term(caller, whole, most));
end
$$;

-- The same for many questions at once, each an object with the parameters above by name. What takes longer than two seconds together is
-- left out of the answer and asked for again; the first is always counted.
create or replace function public.count_searches(searches jsonb)
  returns table (place integer, total integer)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  began timestamptz := clock_timestamp();
  asked record;
begin
  if jsonb_typeof(searches) is distinct from 'array' or jsonb_array_length(searches) > private.most('saved_searches') then
    raise exception using errcode = 'PT400', message = 'Uma lista de no máximo 100 buscas por vez';
  end if;
  for asked in
    select q.* from rows from (
      jsonb_to_recordset(searches) as (
        term text, site text, folder text, category text, kind text, saved_before timestamptz, saved_since timestamptz, favorite boolean,
        tags text[], untagged boolean, broken boolean
      )
    ) with ordinality as q(term, site, folder, category, kind, saved_before, saved_since, favorite, tags, untagged, broken, place)
  loop
    place := asked.place;
    total := public.count_links_by(
      asked.term, asked.site, asked.folder, asked.category, asked.kind, asked.saved_before, asked.saved_since, asked.favorite,
      asked.tags, asked.untagged, asked.broken);
    return next;
    exit when clock_timestamp() > began + interval '2 seconds';
  end loop;
end
$$;

revoke all on function private.find_links_left(
  uuid, text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, boolean, bigint
) from public;
revoke all on function
  public.search_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, boolean, integer, integer),
  public.count_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, boolean, integer)
  from public, anon, service_role;
grant execute on function
  public.search_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, boolean, integer, integer),
  public.count_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, boolean, integer)
  to authenticated;
