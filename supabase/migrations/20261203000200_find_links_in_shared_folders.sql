-- Whoever saves a page is told, too, where it is in the folders that others share with them. Asked for by name: programs that save what is
-- not there yet go on asking about the person's own library.
drop function public.find_links_by_url(text[]);
create function public.find_links_by_url(urls text[], in_shared_folders boolean default false)
  returns table (
    url text, link_id uuid, title text, category_id uuid, category_name text, folder_name text, is_own boolean, owner_name text
  )
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.reader_id();
  owners uuid[] := array[caller];
  opened uuid[] := '{}';
begin
  if cardinality(urls) > 200 then
    raise exception using errcode = 'PT400', message = 'No máximo 200 endereços por vez';
  end if;
  if in_shared_folders and caller is not null then
    select coalesce(array_agg(distinct r.owner_id), '{}') || owners, coalesce(array_agg(c.id), '{}') into owners, opened
    from private.folder_places r
    join public.categories c on c.folder_id = r.folder_id and not c.is_held_back
    where r.person_id = caller;
  end if;
  return query
    select asked.address, l.id, l.title, c.id, c.name, f.name, l.user_id = caller,
      case when l.user_id <> caller then (select p.name from public.profiles p where p.id = l.user_id) end
    from (
      select given.address, private.address_key(given.address) as key, min(given.place) as place
      from unnest(urls) with ordinality as given(address, place)
      where given.address is not null
      group by given.address
    ) as asked
    cross join unnest(owners) as o(id)
    cross join lateral (
      select k.id, k.title, k.category_id, k.created_at, k.user_id
      from private.link_addresses a join public.links k on k.id = a.id
      where a.user_id = o.id and a.hash = hashtextextended(asked.key, 0)
        and private.address_key(k.url) = asked.key
        and (o.id = caller or k.category_id = any (opened))
      order by a.created_at desc, a.id desc
      limit 5
    ) as l
    join public.categories c on c.id = l.category_id
    join public.folders f on f.id = c.folder_id
    order by asked.place, l.user_id = caller desc, l.created_at desc, l.id desc;
end
$$;
comment on function public.find_links_by_url(text[], boolean) is
  'Where addresses are kept, the caller''s own links first. Nullable: owner_name.';
revoke all on function public.find_links_by_url(text[], boolean) from public, anon, authenticated, service_role;
grant execute on function public.find_links_by_url(text[], boolean) to authenticated;
