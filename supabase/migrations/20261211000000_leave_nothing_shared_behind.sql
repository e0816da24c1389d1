-- Three ways in which what was shared was lost, or came back:
-- a suspended account that returned shared again with an address whose person had been deleted for good; a folder whose group was empty
-- when it was deleted came back without those who had entered the group since; and whoever had asked for access to a category waited
-- for ever once its folder belonged to somebody else.

do $$
declare
  forgets constant text := 'delete from public.shared_with s where s.email = address;';
  goes_on constant text := '  -- The history goes on: that everything came just now is no news.';
  person text := pg_catalog.pg_get_functiondef('private.forget_person(uuid)'::regprocedure);
  folder text := pg_catalog.pg_get_functiondef('private.hand_over(uuid, uuid, uuid)'::regprocedure);
begin
  if position(forgets in person) = 0 or position(goes_on in folder) = 0 then
    raise exception 'private.forget_person or private.hand_over is not as expected';
  end if;
  execute replace(person, forgets, forgets || $new$
  delete from private.shares_at_rest r where r.email = address;
  update public.folders f set shared_with = array_remove(f.shared_with, address) where address = any (f.shared_with);$new$);
  execute replace(folder, goes_on, $new$  -- Who waits for an answer waits for the new owner's, unless that one has refused them already.
  update private.access_requests r set owner_id = case
    when r.asker_id <> taker and not exists (
      select from private.access_requests o where o.owner_id = taker and o.asker_id = r.asker_id and o.refused_at is not null
    ) then taker
  end
  where r.owner_id = giver and r.refused_at is null and r.category_id = any (category_ids);
  if found then
    perform private.tell_owner_of_requests(giver);
    perform private.tell_owner_of_requests(taker);
  end if;

$new$ || goes_on);
end
$$;

-- As before; since when a folder's group may have new members is read from what was kept of the group, which may have had none.
create or replace function private.restore_members() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
  gone jsonb;
begin
  if caller is null then
    return null;
  end if;
  select jsonb_object_agg(k.id, k.deleted_at) into gone
  from (
    select r.id, max(d.deleted_at) as deleted_at
    from private.deleted_rows r join private.deletions d on d.id = r.deletion_id
    where d.user_id = caller and r.kind = 'group' and r.id = any (array(select a.id from added a))
    group by r.id
  ) as k;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'group' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into private.folder_groups (folder_id, group_id, owner_id, role, created_at)
  select s.folder_id, s.group_id, s.owner_id, s.role, s.created_at
  from taken t
  cross join lateral jsonb_populate_record(null::private.folder_groups, t.content) as s
  join private.groups g on g.id = s.group_id and g.user_id = caller
  order by t.deletion_id desc
  on conflict do nothing;

  insert into public.folder_members (folder_id, email, role, group_id)
  select s.folder_id, m.email, s.role, s.group_id
  from added a
  join private.folder_groups s on s.folder_id = a.id
  join private.group_members m on m.group_id = s.group_id
  where m.created_at > (gone ->> a.id::text)::timestamptz;

  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'member' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into public.folder_members (id, folder_id, owner_id, email, role, invited_by, created_at, group_id)
  select m.id, m.folder_id, m.owner_id, m.email, m.role, p.id, m.created_at, m.group_id
  from taken t
  cross join lateral jsonb_populate_record(null::public.folder_members, t.content) as m
  left join public.profiles p on p.id = m.invited_by
  where m.group_id is null or (
    exists (select from private.folder_groups s where s.folder_id = m.folder_id and s.group_id = m.group_id and s.role = m.role)
    and exists (select from private.group_members e where e.group_id = m.group_id and e.email = m.email)
  )
  -- Of a folder that was deleted more than once the newest.
  order by t.deletion_id desc
  on conflict do nothing;
  return null;
end
$$;
