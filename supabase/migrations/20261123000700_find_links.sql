-- The caller's links that contain the term, newest first; at most 50 a page, nothing for a blank term or a caller without an id.
create function public.search_links(term text, max_results integer default 10, page integer default 1)
  returns table (id uuid, title text, description text, url text, category_id uuid, category_name text)
  language plpgsql
  stable
  security definer
  set search_path = ''
  -- One plan for every term: walk the indexes in the order of the answer and stop when there is enough.
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_bitmapscan = off
  set enable_sort = off
as $$
declare
  wanted text := btrim(private.normalize_search_text(term));
  caller uuid := private.caller_id();
  most integer := least(greatest(coalesce(max_results, 10), 0), 50);
  skipped bigint := most * (greatest(coalesce(page, 1), 1)::bigint - 1);
  -- Pieces share 100 characters: a longer term is looked for by its beginning and then compared whole.
  needle text := left(wanted, 100);
  is_long boolean := char_length(wanted) > 100;
  bits integer[];
  -- Looking at one bit costs a fifth of comparing all: four of them dismiss nearly every zone. All null: nothing to look at.
  first_bit integer;
  second_bit integer;
  third_bit integer;
  fourth_bit integer;
  covered timestamptz;
begin
  if caller is null or wanted is null or wanted = '' then
    return;
  end if;
  covered := coalesce((select max(z.newest) from private.link_search_zones z where z.user_id = caller), '-infinity');
  if covered > '-infinity' then
    bits := private.search_gram_bits(needle, true);
    first_bit := bits[1];
    second_bit := coalesce(bits[2], first_bit);
    third_bit := coalesce(bits[3], first_bit);
    fourth_bit := coalesce(bits[cardinality(bits)], first_bit);
  end if;
  -- Newest first by construction, so that the limit stops the scan: what no zone covers yet, then zone after zone.
  return query
    select l.id, l.title, l.description, l.url, l.category_id, c.name
    from (
      (
        select distinct s.created_at, s.id
        from private.link_search s
        where s.user_id = caller and s.created_at > covered and strpos(s.piece, needle) > 0
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
            and strpos(s.piece, needle) > 0
          order by s.created_at desc, s.id desc
        ) as inside
      )
      limit case when is_long then null else most end
      offset case when is_long then 0 else skipped end
    ) as hit
    join public.links l on l.id = hit.id
    join public.categories c on c.id = l.category_id
    where not is_long or strpos(private.link_search_text(l.title, l.url, l.description), wanted) > 0
    order by hit.created_at desc, hit.id desc
    limit most
    offset case when is_long then skipped else 0 end;
end
$$;

-- Is this address in my library already, and where? Screens send what packages/domain/src/urls.ts makes of an address
-- and store the same; on top of that, here the scheme and the host compare without case, and a bare slash after the host is
-- nothing, as in every browser: what is typed as Exemplo.com.br is pasted as https://exemplo.com.br/.
create function private.comparable_url(url text) returns text
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  address text := btrim(url, E' \t\n\r');
  place text := coalesce(substring(address from '^[a-zA-Z]+://[^/?#]*'), '');
  path text := substr(address, char_length(place) + 1);
begin
  -- What stands before an at sign may be a password, where case counts.
  if strpos(place, '@') = 0 then
    place := lower(place collate "C");
  end if;
  return case when path = '/' then place else place || path end;
end
$$;

-- The caller's links with one of these addresses: for each address, as it was asked, at most five, newest first. (With the rights of
-- the owner, since row-level security keeps an index over an expression from being used.)
create function public.find_links_by_url(urls text[])
  returns table (url text, link_id uuid, title text, category_id uuid, category_name text, folder_name text)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  if cardinality(urls) > 200 then
    raise exception using errcode = 'PT400', message = 'No máximo 200 endereços por vez';
  end if;
  return query
    select asked.address, l.id, l.title, c.id, c.name, f.name
    from (
      select given.address, private.comparable_url(given.address) as compared, min(given.place) as place
      from unnest(urls) with ordinality as given(address, place)
      where given.address is not null
      group by given.address
    ) as asked
    cross join lateral (
      select k.id, k.title, k.category_id, k.created_at
      from public.links k
      where k.user_id = private.caller_id()
        and hashtextextended(rtrim(lower(k.url collate "C"), '/'), 0)
          = hashtextextended(rtrim(lower(btrim(asked.address, E' \t\n\r') collate "C"), '/'), 0)
        and private.comparable_url(k.url) = asked.compared
      order by k.created_at desc, k.id desc
      limit 5
    ) as l
    join public.categories c on c.id = l.category_id
    join public.folders f on f.id = c.folder_id
    order by asked.place, l.created_at desc, l.id desc;
end
$$;

revoke all on function private.comparable_url(text) from public;
revoke all on function public.search_links(text, integer, integer), public.find_links_by_url(text[])
  from public, anon, authenticated, service_role;
grant execute on function public.search_links(text, integer, integer) to authenticated, service_role;
grant execute on function public.find_links_by_url(text[]) to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.search_links(text, integer, integer) is
  'The caller''s links that contain the term, newest first. Nullable: description.';
