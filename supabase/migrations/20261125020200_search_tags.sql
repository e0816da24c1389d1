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
