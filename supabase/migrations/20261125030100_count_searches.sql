-- How many links a question finds: the total above a page of results, and the numbers beside saved searches. Counting ends at a most,
-- so that a common word costs no more than a page far down.

-- Of the links that public.search_links_by finds, how many there are, at most `max_count`; without any operator of those that
-- public.search_links finds. What may narrow a search there has to narrow it here: a test compares the two.
create function public.count_links_by(
  term text default '', site text default null, folder text default null, category text default null, kind text default null,
  saved_before timestamptz default null, saved_since timestamptz default null, favorite boolean default false,
  max_count integer default 1000
)
  returns integer
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
  most integer := least(greatest(coalesce(max_count, 1000), 0), 1000);
  is_long boolean := char_length(whole) > 100;
  words record;
  patterns text[];
  unwanted_patterns text[];
  place_ids uuid[];
  found uuid[];
begin
  if caller is null or most = 0 then
    return 0;
  end if;
  words := private.search_words(whole);
  if num_nonnulls(site, folder, category, kind, saved_before, saved_since) = 0 and favorite is not true then
    if whole = '' then
      return (select least(n.link_count, most) from public.library_counts n where n.user_id = caller);
    end if;
    if cardinality(words.wanted) = 0 or words.wanted = array[whole] then
      found := array(select private.find_links(caller, array[whole], '{}', '{}', most, 0));
    elsif not is_long then
      found := private.find_links_by_words(caller, whole, words.wanted, words.unwanted, most);
    else
      found := array(select private.find_links(caller, array[whole], '{}', '{}', most, 0));
      found := found || array(select private.find_links(
        caller, words.wanted, words.unwanted, found, most - cardinality(found), 0));
    end if;
    if cardinality(found) < most and cardinality(words.wanted) > 1 then
      found := found || array(select private.find_links_by_place(
        caller, words.wanted, words.unwanted, most - cardinality(found)));
    end if;
    return cardinality(found);
  end if;

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
  return (
    with remaining as materialized (
      select l.id, l.created_at
      from public.links l
      cross join lateral (select lower(l.url) as address offset 0) as lower
      where l.user_id = caller
        and (place_ids is null or l.category_id = any (place_ids))
        and (saved_before is null or l.created_at < saved_before)
        and (saved_since is null or l.created_at >= saved_since)
        and (host is null or (strpos(lower.address, host) > 0 and strpos(
          '.' || coalesce(substring(lower.address from '^https?://(?:[^/?#]*@)?([^/?#:]+)'), '') || '.', '.' || host || '.') > 0))
        and (kind is null or private.is_link_kind(lower.address, kind))
        and (favorite is not true or l.id in (select f.link_id from public.favorites f where f.user_id = caller))
      order by l.created_at desc, l.id desc
      limit case when whole = '' then most else 20000 end
    )
    select count(*)
    from (
      select from remaining r
      cross join lateral (
        select case
          when whole = '' then ''
          when is_long then (
            select private.link_search_text(l.title, l.url, l.description) from public.links l where l.id = r.id
          )
          else (
            select string_agg(s.piece, E'\n') from private.link_search s
            where s.user_id = caller and s.created_at = r.created_at and s.id = r.id
          )
        end as body
      ) as text
      where case
        when whole = '' or strpos(text.body, whole) > 0 then true
        when cardinality(words.wanted) = 0 or text.body like any (unwanted_patterns) then false
        when text.body like all (patterns) then true
        else text.body like any (patterns) and not exists (
          select from unnest(words.wanted) as w
          where strpos(text.body, w) = 0 and strpos((
            select private.normalize_search_text(c.name || E'\n' || f.name)
            from public.links l join public.categories c on c.id = l.category_id join public.folders f on f.id = c.folder_id
            where l.id = r.id
          ), w) = 0
        )
      end
      limit most
    ) as hit
  );
end
$$;

-- The same for many questions at once, each an object with the parameters above by name. What takes longer than two seconds together is
-- left out of the answer and asked for again; the first is always counted.
create function public.count_searches(searches jsonb)
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
        term text, site text, folder text, category text, kind text, saved_before timestamptz, saved_since timestamptz, favorite boolean
      )
    ) with ordinality as q(term, site, folder, category, kind, saved_before, saved_since, favorite, place)
  loop
    place := asked.place;
    total := public.count_links_by(
      asked.term, asked.site, asked.folder, asked.category, asked.kind, asked.saved_before, asked.saved_since, asked.favorite);
    return next;
    exit when clock_timestamp() > began + interval '2 seconds';
  end loop;
end
$$;

revoke all on function
  public.count_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, integer), public.count_searches(jsonb)
  from public, anon, service_role;
grant execute on function
  public.count_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, integer), public.count_searches(jsonb)
  to authenticated;
