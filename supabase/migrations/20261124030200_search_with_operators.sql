-- Questions with operators: what they leave of the caller's links, newest first, then ranked by words as public.search_links ranks them.
-- The twin of packages/domain/src/search-filters.ts, which reads the browser's own copy.

-- Names as people type them: who writes a whole name means that one, else every name that contains it.
create function private.names_match(names text[], wanted text) returns text[]
  language sql immutable parallel safe
  set search_path = ''
as $$
  select case
    when wanted = any (names) then array[wanted]
    else array(select distinct n from unnest(names) as n where strpos(n, wanted) > 0)
  end
$$;

-- An address in lower case. (A pattern costs ten times as much as looking for a part of it, which most addresses lack.)
create function private.is_link_kind(url text, kind text) returns boolean
  language sql immutable parallel safe
as $$
  select case kind
    when 'pdf' then strpos(url, '.pdf') > 0 and url ~ '^https?://[^/?#]+/[^?#]*\.pdf/?([?#]|$)'
    when 'image' then (
        strpos(url, '.jp') > 0 or strpos(url, '.png') > 0 or strpos(url, '.gif') > 0 or strpos(url, '.webp') > 0
        or strpos(url, '.avif') > 0 or strpos(url, '.svg') > 0 or strpos(url, '.bmp') > 0
      ) and url ~ '^https?://[^/?#]+/[^?#]*\.(jpg|jpeg|png|gif|webp|avif|svg|bmp)/?([?#]|$)'
    when 'video' then (
        strpos(url, '.mp4') > 0 or strpos(url, '.m4v') > 0 or strpos(url, '.webm') > 0 or strpos(url, '.mov') > 0
        or strpos(url, '.mkv') > 0 or strpos(url, '.avi') > 0
      ) and url ~ '^https?://[^/?#]+/[^?#]*\.(mp4|m4v|webm|mov|mkv|avi)/?([?#]|$)'
      -- The host, without a name before it and a port behind it.
      or (
        strpos(url, 'youtu') > 0 or strpos(url, 'vimeo.') > 0 or strpos(url, 'dailymotion.') > 0 or strpos(url, 'twitch.') > 0
        or strpos(url, 'tiktok.') > 0
      ) and url ~ ('^https?://([^/?#]*@)?([^/?#:@]*\.)?'
        || '(youtube\.com|youtube-nocookie\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|tiktok\.com)'
        || '(:[^/?#@]*)?([/?#]|$)')
    else false
  end
$$;

-- Words are looked for in the newest 20,000 links that the operators leave, which bounds what one question costs.
create function public.search_links_by(
  term text default '', site text default null, folder text default null, category text default null, kind text default null,
  saved_before timestamptz default null, saved_since timestamptz default null, favorite boolean default false,
  max_results integer default 10, page integer default 1
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

  return query
    with remaining as materialized (
      select l.id, l.created_at
      from public.links l
      -- Once a link, however often it is looked at.
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
        end as body
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
comment on function public.search_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, integer, integer) is
  'The caller''s links that the operators leave and the term finds, as search_links orders them. Nullable: description.';

revoke all on function private.names_match(text[], text), private.is_link_kind(text, text) from public;
revoke all on function public.search_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, integer, integer)
  from public, anon, service_role;
grant execute on function public.search_links_by(text, text, text, text, text, timestamptz, timestamptz, boolean, integer, integer)
  to authenticated;
