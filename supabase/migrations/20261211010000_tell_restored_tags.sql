-- Links that come back have their tags again: that is said as when they are given them by hand (docs/decisions/0075-tags.md). The counters are
-- locked by now, as for whoever tags, so that no two write one person's tags at once.
create or replace function private.restore_tags() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
begin
  if not exists (select from private.restorations r where r.user_id = caller) then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'tags' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.id, r.content
  ), newest as (
    -- Of what was deleted more than once.
    select distinct on (t.id) t.id, t.content from taken t order by t.id, t.deletion_id desc
  ), given as (
    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select a.id, g.id, caller, a.created_at
    from newest n
    join added a on a.id = n.id
    cross join lateral jsonb_array_elements_text(n.content -> 'tag_ids') as kept(id)
    join public.tags g on g.id = kept.id::uuid and g.user_id = caller
    on conflict do nothing
    returning tag_id
  )
  update public.tags t set tagged_at = clock_timestamp() where t.id in (select g.tag_id from given g);
  return null;
end
$$;
