-- A folder that comes back from the bin is shared with the groups it was shared with, as far as there are any, and with who is in them by
-- now: who had left it stays away, who has entered the group since is there.

alter table private.deleted_rows drop constraint deleted_rows_kind_known;
alter table private.deleted_rows add constraint deleted_rows_kind_known
  check (kind in ('folder', 'category', 'share', 'link', 'favorite', 'look', 'order', 'tags', 'member', 'group'));

create function private.keep_deleted_folder_groups() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select i.deletion_id, 'group', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.owner_id
    join private.deleted_rows i on i.deletion_id = d.id and i.kind = 'folder' and i.id = r.folder_id
    where d.user_id = auth.uid() and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$$;
create trigger folder_groups_keep_deleted after delete on private.folder_groups
  referencing old table as removed for each statement execute function private.keep_deleted_folder_groups();

-- As before, and of groups.
create or replace function private.restore_members() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
begin
  if caller is null then
    return null;
  end if;
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
  where m.created_at > (
    select max(d.deleted_at) from private.deleted_rows r join private.deletions d on d.id = r.deletion_id
    where d.user_id = caller and r.kind = 'member' and r.id = a.id
  );

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

-- Addresses in groups take room as invited ones do, and go with whoever's they are; a person's copy of the bin has each address once.
do $$
declare
  changed record;
  definition text;
begin
  for changed in
    select w.*
    from (values
      ('private.storage_used(uuid[])',
        'from public.folder_members m where m.owner_id = o.id) as bytes',
        'from public.folder_members m where m.owner_id = o.id)
        + (select coalesce(sum(24 + octet_length(m.email)), 0)
          from private.groups g join private.group_members m on m.group_id = g.id where g.user_id = o.id) as bytes'),
      ('private.total_storage_used()',
        'from public.folder_members m), 0)',
        'from public.folder_members m), 0)
    + coalesce((select sum(24 + octet_length(m.email)) from private.group_members m), 0)'),
      ('private.written_since(date)',
        'from public.folder_members m where m.created_at >= beginning group by 1;',
        'from public.folder_members m where m.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(m.created_at), 0::bigint, sum(24 + octet_length(m.email))::numeric
    from private.group_members m where m.created_at >= beginning group by 1;'),
      ('public.list_bin_rows(bigint, text, uuid, integer)',
        'm.kind = ''member'' and m.id = r.id',
        'm.kind = ''member'' and m.id = r.id and m.content ->> ''group_id'' is null'),
      ('private.forget_person(uuid)',
        'delete from public.folder_members m where',
        'delete from private.group_members m where m.email = address;
  delete from public.folder_members m where')
    ) as w(name, counts, instead)
  loop
    definition := pg_catalog.pg_get_functiondef(to_regprocedure(changed.name));
    if definition is null or position(changed.counts in definition) = 0 then
      raise exception '% does not count %', changed.name, changed.counts;
    end if;
    execute replace(definition, changed.counts, changed.instead);
  end loop;
end
$$;

revoke all on function private.keep_deleted_folder_groups() from public;
