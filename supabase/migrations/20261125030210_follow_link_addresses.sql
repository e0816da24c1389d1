-- The index of addresses follows the links from here on. In a migration of its own: whoever writes waits for this one, and only for this one.

create function private.index_addresses() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.link_addresses (user_id, hash, created_at, id)
    select a.user_id, hashtextextended(private.address_key(a.url), 0), a.created_at, a.id from added a;
  elsif tg_op = 'DELETE' then
    delete from private.link_addresses k using removed r
    where k.user_id = r.user_id and k.hash = hashtextextended(private.address_key(r.url), 0)
      and k.created_at = r.created_at and k.id = r.id;
  elsif exists (select from added a join removed r on r.id = a.id where a.url <> r.url) then
    update private.link_addresses k set hash = hashtextextended(private.address_key(a.url), 0)
    from added a join removed r on r.id = a.id
    where a.url <> r.url and k.user_id = r.user_id and k.hash = hashtextextended(private.address_key(r.url), 0)
      and k.created_at = r.created_at and k.id = r.id;
  end if;
  return null;
end
$$;

create trigger links_index_added_addresses after insert on public.links
  referencing new table as added for each statement execute function private.index_addresses();
create trigger links_index_changed_addresses after update on public.links
  referencing old table as removed new table as added for each statement execute function private.index_addresses();
create trigger links_forget_addresses after delete on public.links
  referencing old table as removed for each statement execute function private.index_addresses();

-- What has changed since the links were read.
delete from private.link_addresses a where not exists (select from public.links l where l.id = a.id);

update private.link_addresses a
set hash = hashtextextended(private.address_key(l.url), 0), user_id = l.user_id, created_at = l.created_at
from public.links l
where l.id = a.id and l.updated_at >= (select r.at from private.link_addresses_read r)
  and (a.hash, a.user_id, a.created_at) is distinct from (hashtextextended(private.address_key(l.url), 0), l.user_id, l.created_at);

insert into private.link_addresses (user_id, hash, created_at, id)
select l.user_id, hashtextextended(private.address_key(l.url), 0), l.created_at, l.id
from public.links l
where not exists (select from private.link_addresses a where a.id = l.id);

drop table private.link_addresses_read;

-- As before, but for which addresses are the same.
create or replace function public.find_links_by_url(urls text[])
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
      select given.address, private.address_key(given.address) as key, min(given.place) as place
      from unnest(urls) with ordinality as given(address, place)
      where given.address is not null
      group by given.address
    ) as asked
    cross join lateral (
      select k.id, k.title, k.category_id, k.created_at
      from private.link_addresses a join public.links k on k.id = a.id
      where a.user_id = private.caller_id() and a.hash = hashtextextended(asked.key, 0)
        and private.address_key(k.url) = asked.key
      order by a.created_at desc, a.id desc
      limit 5
    ) as l
    join public.categories c on c.id = l.category_id
    join public.folders f on f.id = c.folder_id
    order by asked.place, l.created_at desc, l.id desc;
end
$$;

revoke all on function private.index_addresses() from public;
