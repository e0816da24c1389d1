-- 'Você quis dizer': for a question that finds nothing, the same with the words that occur nowhere in the caller's links replaced by the
-- likest that do. Null where there is nothing better, or where that would find nothing either.
--
-- Words are taken from the caller's own newest texts alone, and the names of their own places: nothing of anybody else can be suggested.
-- Bounded: 3,000 pieces of text are looked at, at most three words replaced, none where more than eight are asked for.
create function public.suggest_search(term text) returns text
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
  );
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
comment on function public.suggest_search(text) is
  'For a term that finds nothing: the same with misspelt words replaced by the likest of the caller''s own. Nullable: result.';

revoke all on function public.suggest_search(text) from public, anon, service_role;
grant execute on function public.suggest_search(text) to authenticated;
