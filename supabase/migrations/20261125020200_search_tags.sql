-- Tags in search: every word may match one, and 'tag:' and 'sem:tag' narrow a question. Their names are not copied into the text of
-- links, so that a tag of a hundred thousand links is renamed, merged or deleted without touching any: they are looked for among the
-- person's tags, and where a word is in one, its links are looked at beside those that the text finds.

-- The caller's tags that hold one of the words.
create function private.tags_holding(caller uuid, needles text[]) returns uuid[]
  language plpgsql stable
  set search_path = ''
as $$
begin
  return array(
    select t.id from public.tags t
    where t.user_id = caller and exists (select from unnest(needles) as n where n <> '' and strpos(t.folded, n) > 0)
    -- The single letters of a person with thousands of tags.
    order by t.link_count desc, t.id limit 300
  );
end
$$;

-- What the text alone found, with what is found by tags, in the order of search: the whole term (3), every word (2), some words and the
-- names of the place hold the others (1), each newest first. Looked for among the newest 3,000 links that have one of the tags.
create function private.join_found_by_tag(
  caller uuid, whole text, wanted text[], unwanted text[], word_tags uuid[], known uuid[], most bigint
) returns uuid[]
  language plpgsql stable
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
declare
  is_one_word boolean := cardinality(wanted) <= 1 and cardinality(unwanted) = 0;
  is_long boolean := char_length(whole) > 100;
  patterns text[] := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(wanted) as w);
  unwanted_patterns text[] := array(select '%' || regexp_replace(w, '([\\%_])', '\\\1', 'g') || '%' from unnest(unwanted) as w);
  -- A word alone is in each of their tags: the newest are enough.
  deep bigint := case when is_one_word then most else greatest(100, 30000 / cardinality(word_tags)) end;
begin
  return array(
    with near as materialized (
      select distinct k.link_id, k.saved_at
      from unnest(word_tags) as t(id)
      cross join lateral (
        select k.link_id, k.saved_at from public.link_tags k
        where k.tag_id = t.id order by k.saved_at desc, k.link_id desc limit least(deep, 3000)
      ) as k
      order by k.saved_at desc, k.link_id desc
      limit case when is_one_word then most else 3000 end
    ), hits as (
      select n.link_id as id, n.saved_at as created_at from near n
      union
      select l.id, l.created_at from public.links l where l.id = any (known)
    ), ranked as (
      select h.id, h.created_at, case
        when strpos(text.body, whole) > 0 then 3
        when cardinality(wanted) = 0 or text.body like any (unwanted_patterns) then 0
        when text.body like all (patterns) then 2
        when text.body like any (patterns) and not exists (
          select from unnest(wanted) as w
          where strpos(text.body, w) = 0 and strpos((
            select private.normalize_search_text(c.name || E'\n' || f.name)
            from public.links l join public.categories c on c.id = l.category_id join public.folders f on f.id = c.folder_id
            where l.id = h.id
          ), w) = 0
        ) then 1
        else 0
      end as rank
      from hits h
      cross join lateral (
        select case
          -- A longer word may lie in none of the pieces.
          when is_long then (
            select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = h.id
          )
          else (
            select string_agg(s.piece, E'\n') from private.link_search s
            where s.user_id = caller and s.created_at = h.created_at and s.id = h.id
          )
        end || coalesce((
          select E'\n' || string_agg(t.folded, E'\n') from public.link_tags k join public.tags t on t.id = k.tag_id
          where k.link_id = h.id and k.tag_id = any (word_tags)
        ), '') as body
        -- Once a link, however often it is looked at.
        offset 0
      ) as text
    )
    select r.id from ranked r where r.rank > 0 order by r.rank desc, r.created_at desc, r.id desc limit most
  );
end
$$;

-- Words are looked for in the newest 20,000 links that the operators leave, which bounds what one question costs. Of several tags each is
-- meant.
drop function public.search_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, integer, integer);
create function public.search_links_by(
  term text default '', site text default null, folder text default null, category text default null, kind text default null,
  saved_before timestamptz default null, saved_since timestamptz default null, favorite boolean default false,
  tags text[] default null, untagged boolean default false, max_results integer default 10, page integer default 1
)
  returns table (id uuid, title text, description text, url text, category_id uuid, category_name text)
  language plpgsql
  stable
  security definer
  set search_path = ''
  -- Each question has another way in: by category, by time, by star.
  set plan_cache_mode = force_custom_plan
as $$
declare
  caller uuid := private.caller_id();
  whole text := coalesce(btrim(private.normalize_search_text(term)), '');
  host text := lower(left(site, 500));
  most integer := least(greatest(coalesce(max_results, 10), 0), 50);
  skipped bigint := most * (greatest(coalesce(page, 1), 1)::bigint - 1);
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
  if caller is null or most = 0 then
    return;
  end if;
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
      return;
    end if;
    first_tag := case when cardinality(first_tags) = 1 then first_tags[1] end;
  end if;
  -- A tag and nothing else, as a press on it asks: reading ends with the page.
  if first_tag is not null and other_tags is null and whole = '' and place_ids is null and host is null and kind is null
    and saved_before is null and saved_since is null and untagged is not true and favorite is not true then
    return query
      select l.id, l.title, l.description, l.url, l.category_id, c.name
      from (
        select k.link_id, k.saved_at from public.link_tags k where k.tag_id = first_tag
        order by k.saved_at desc, k.link_id desc limit most offset skipped
      ) as hit
      join public.links l on l.id = hit.link_id
      join public.categories c on c.id = l.category_id
      order by hit.saved_at desc, hit.link_id desc;
    return;
  end if;

  return query
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
      order by l.created_at desc, l.id desc
      limit case when whole = '' then skipped + most else 20000 end
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
    select l.id, l.title, l.description, l.url, l.category_id, c.name
    from (
      select r.id, r.created_at, r.rank from ranked r where r.rank > 0
      order by r.rank desc, r.created_at desc, r.id desc limit most offset skipped
    ) as hit
    join public.links l on l.id = hit.id
    join public.categories c on c.id = l.category_id
    order by hit.rank desc, hit.created_at desc, hit.id desc;
end
$$;
comment on function public.search_links_by(
  text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, integer, integer
) is 'The caller''s links that the operators leave and the term finds, as search_links orders them. Nullable: description.';

-- As before, and by tags. A word that must not occur and lies in a tag is asked for where texts and tags are compared as one.
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
  passed bigint;
  found uuid[];
  word_tags uuid[];
begin
  if caller is null or whole is null or whole = '' or most = 0 then
    return;
  end if;
  words := private.search_words(whole);
  if cardinality(words.unwanted) > 0 and cardinality(private.tags_holding(caller, words.unwanted)) > 0 then
    return query select * from public.search_links_by(term, max_results => max_results, page => page);
    return;
  end if;
  word_tags := private.tags_holding(caller, words.wanted || whole);
  if cardinality(word_tags) > 0 then
    -- What the text alone finds and what tags find are each in order: the first ones of both hold the first ones of all.
    passed := skipped;
    most := skipped + most;
    skipped := 0;
  end if;
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
  if cardinality(word_tags) > 0 then
    found := (private.join_found_by_tag(caller, whole, words.wanted, words.unwanted, word_tags, found, most))[passed + 1:];
  end if;
  return query
    select l.id, l.title, l.description, l.url, l.category_id, c.name
    from unnest(found) with ordinality as hit(id, place)
    join public.links l on l.id = hit.id
    join public.categories c on c.id = l.category_id
    order by hit.place;
end
$$;

-- As before; a word that lies in a tag occurs.
create or replace function public.suggest_search(term text) returns text
  language plpgsql
  stable
  security definer
  set search_path = ''
  set plan_cache_mode = force_generic_plan
as $$
declare
  whole text := btrim(private.normalize_search_text(left(term, 200)));
  caller uuid := private.caller_id();
  words record;
  asked text;
  likest text;
  spelled text;
  suggestion text := regexp_replace(btrim(left(term, 200)), '\s+', ' ', 'g');
  replaced integer := 0;
  names text[];
  parts text[];
  separators constant text := E'\n./:-_?&=#,;()[]{}"''!|+%*@<>\x01';
begin
  if caller is null or whole is null or whole = '' then
    return null;
  end if;
  words := private.search_words(whole);
  if cardinality(words.wanted) not between 1 and 8 then
    return null;
  end if;
  names := array(
    select private.normalize_search_text(c.name || E'\x01' || f.name)
    from public.categories c join public.folders f on f.id = c.folder_id
    where c.user_id = caller
    order by c.created_at desc, c.id desc limit 1000
  ) || array(select t.folded from public.tags t where t.user_id = caller order by t.link_count desc, t.id limit 1000);
  foreach asked in array words.wanted loop
    -- Two letters are like too much, and a long quotation like nothing.
    continue when char_length(asked) not between 3 and 40 or strpos(asked, ' ') > 0;
    continue when exists (select from unnest(names) as n where strpos(n, asked) > 0)
      or exists (select from private.find_links(caller, array[asked], '{}', '{}', 1, 0));
    replaced := replaced + 1;
    if replaced > 3 then
      return null;
    end if;
    -- Taking texts apart costs most: only those that share most runs of three letters are.
    parts := array(select distinct substr(asked, n, 3) from generate_series(1, least(char_length(asked) - 2, 16)) as n);
    select v.word into likest
    from (
      select u.word, count(*) as often
      from (
        select t.piece
        from (
          select unnest(names) as piece
          union all
          (select s.piece from private.link_search s where s.user_id = caller order by s.created_at desc, s.id desc limit 3000)
        ) as t
        cross join lateral (
          select count(*) as shared from unnest(parts) as p(part) where strpos(t.piece, p.part) > 0
        ) as likeness
        where likeness.shared > 0
        order by likeness.shared desc
        limit 60
      ) as recent
      cross join lateral unnest(string_to_array(translate(recent.piece, separators, repeat(' ', char_length(separators))), ' ')) as u(word)
      where char_length(u.word) between char_length(asked) - 2 and char_length(asked) + 2
      group by u.word
    ) as v
    where v.word ~ '[[:alpha:]]' and extensions.similarity(v.word, asked) >= 0.3
    order by extensions.similarity(v.word, asked) desc, v.often desc, v.word collate "C"
    limit 1;
    if likest is null then
      return null;
    end if;
    -- As the person wrote it, with its accents.
    spelled := null;
    select lower(w.original) into spelled
    from private.find_links(caller, array[likest], '{}', '{}', 1, 0) as hit(id)
    join public.links l on l.id = hit.id
    cross join lateral regexp_split_to_table(l.title || ' ' || coalesce(l.description, ''), '[^[:alnum:]]+') as w(original)
    where private.normalize_search_text(w.original) = likest
    limit 1;
    select string_agg(
      case
        when strpos(private.normalize_search_text(t.token), asked) > 0
          then replace(private.normalize_search_text(t.token), asked, coalesce(spelled, likest))
        else t.token
      end, ' ' order by t.place)
    into suggestion
    from string_to_table(suggestion, ' ') with ordinality as t(token, place);
  end loop;
  if replaced = 0 or not exists (select from public.search_links(suggestion, 1)) then
    return null;
  end if;
  return suggestion;
end
$$;

revoke all on function private.tags_holding(uuid, text[]),
  private.join_found_by_tag(uuid, text, text[], text[], uuid[], uuid[], bigint) from public;
revoke all on function public.search_links_by(
  text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, integer, integer
) from public, anon, service_role;
grant execute on function public.search_links_by(
  text, text, text, text, text, timestamptz, timestamptz, boolean, text[], boolean, integer, integer
) to authenticated;
