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
revoke all on function private.comparable_url(text) from public;

-- Wider than the comparison (it ignores all case and trailing slashes) and built of the server's own functions alone: a look finds
-- the few candidates, and `comparable_url` decides. Its user comes first, so an address that everyone saves costs nobody more.
create index links_address_of_user on public.links (
  user_id, hashtextextended(rtrim(lower(url collate "C"), '/'), 0)
);

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
      where k.user_id = auth.uid()
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
revoke all on function public.find_links_by_url(text[]) from public, anon, authenticated, service_role;
grant execute on function public.find_links_by_url(text[]) to authenticated;
