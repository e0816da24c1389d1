-- Whether an address is kept in a category was asked of the five newest links that have it: one of before was not found where it lies.
create function private.links_of_address(address text, category uuid) returns setof uuid
  language sql stable
  security definer
  set search_path = ''
as $$
  select a.id
  from private.link_addresses a
  join public.links l on l.id = a.id
  where a.user_id = (select private.reader_id())
    and a.hash = hashtextextended(private.address_key(links_of_address.address), 0)
    and private.address_key(l.url) = private.address_key(links_of_address.address)
    and (links_of_address.category is null or l.category_id = links_of_address.category)
  order by a.created_at desc, a.id desc
  limit 5
$$;
comment on function private.links_of_address(text, uuid) is
  'The newest of the caller''s own links that have an address, in a category or, where it is null, in any.';
revoke all on function private.links_of_address(text, uuid) from public, anon, authenticated, service_role;
grant execute on function private.links_of_address(text, uuid) to authenticated;
