-- Links born in the same microsecond came together, however many: one page of an imported category was the whole of it. A page now
-- ends where it is asked to end, and the next one begins after its last link, by date and id.

drop function public.shared_links(uuid, integer, timestamptz);

-- A page of its links, newest first; `before` and `before_id` are created_at and id of the last link seen. Without the id the page
-- begins with what is older than that moment.
create function public.shared_links(
  category_id uuid,
  max_results integer default 50,
  before timestamptz default null,
  before_id uuid default null
)
  returns table (
    id uuid,
    url text,
    title text,
    description text,
    created_at timestamptz,
    updated_at timestamptz
  )
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  if coalesce(private.category_access(shared_links.category_id), 'denied') in ('denied', 'limited') then
    return;
  end if;
  return query
    select l.id, l.url, l.title, l.description, l.created_at, l.updated_at
    from public.links l
    where l.category_id = shared_links.category_id
      and (l.created_at, l.id) < (
        coalesce(shared_links.before, 'infinity'),
        coalesce(shared_links.before_id, '00000000-0000-0000-0000-000000000000')
      )
    order by l.created_at desc, l.id desc
    limit least(greatest(coalesce(max_results, 50), 0), 100);
end
$$;

revoke all on function public.shared_links(uuid, integer, timestamptz, uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.shared_links(uuid, integer, timestamptz, uuid)
  to anon, authenticated, service_role;

comment on function public.shared_links(uuid, integer, timestamptz, uuid) is
  'A page of a shared category''s links. Nullable: description.';
