-- What a person does with their groups. Whoever enters one has a place at once in each folder that is shared with it; whoever leaves loses
-- it (the foreign keys of folder_members). Every function takes the lock of the owner's counts: of two that meet, a folder that is shared and
-- an address that comes, say, the second sees what the first has written.

-- Gives addresses of groups their places: those that came just now, or all of a folder that has just been shared. The owner's own is left out.
create function private.place_group_members() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- A folder that is given back has the members that it had (private.restore_members).
  if exists (select from private.restorations) then
    return null;
  end if;
  if tg_table_name = 'folder_groups' then
    insert into public.folder_members (folder_id, email, role, group_id)
    select s.folder_id, m.email, s.role, s.group_id
    from added a
    join private.folder_groups s on s.folder_id = a.folder_id and s.group_id = a.group_id
    join private.group_members m on m.group_id = s.group_id
    order by s.folder_id, m.email
    for key share of s, m;
  else
    insert into public.folder_members (folder_id, email, role, group_id)
    select s.folder_id, a.email, s.role, s.group_id
    from added a join private.folder_groups s on s.group_id = a.group_id
    order by s.folder_id, a.email
    for key share of s;
  end if;
  return null;
end
$$;
create trigger folder_groups_place_members after insert on private.folder_groups
  referencing new table as added for each statement execute function private.place_group_members();
create trigger group_members_place after insert on private.group_members
  referencing new table as added for each statement execute function private.place_group_members();

-- What changes of a group wait for: the folders that it concerns, whose deletion counts as well, and then the counts.
create function private.lock_groups_of(person uuid, group_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform from public.folders f
  where f.user_id = person and f.id in (select s.folder_id from private.folder_groups s where s.group_id = $2)
  order by f.id for key share;
  perform from public.library_counts n where n.user_id = person for no key update;
end
$$;

-- The same of a group that is there. @throws PT404 for anybody else's, as for none.
create function private.lock_group(person uuid, group_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_groups_of(person, $2);
  if not exists (select from private.groups g where g.id = $2 and g.user_id = person) then
    raise exception using errcode = 'PT404', message = 'Grupo não encontrado';
  end if;
end
$$;

-- Addresses as they are kept: once each, in their order, without the caller's own, who has their own folders anyway.
create function private.read_group_emails(emails text[]) returns setof text
  language sql stable
  set search_path = ''
as $$
  select lower(btrim(e.email)) from unnest(emails) with ordinality as e(email, place)
  where lower(btrim(e.email)) is distinct from lower(auth.email())
  group by 1 order by min(e.place)
$$;

create function public.list_groups()
  returns table (id uuid, name text, emails text[], folder_count integer, created_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select g.id, g.name, array(select m.email from private.group_members m where m.group_id = g.id order by m.created_at, m.email),
    (select count(*) from private.folder_groups s where s.group_id = g.id)::integer, g.created_at
  from private.groups g where g.user_id = private.caller_id()
  order by lower(g.name), g.id
$$;

-- Makes a group, or renames it; addresses come and go one by one, so that two screens that change it do not undo each other.
create function public.save_group(group_id uuid, name text, added text[] default '{}', removed text[] default '{}') returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Entre na sua conta';
  end if;
  perform private.lock_groups_of(caller, $1);
  insert into private.groups as g (id, user_id, name) values ($1, caller, btrim($2))
  on conflict (id) do update set name = excluded.name where g.user_id = caller;
  if not found then
    raise exception using errcode = 'PT404', message = 'Grupo não encontrado';
  end if;
  if (select count(*) from private.groups g where g.user_id = caller) > private.most('groups') then
    perform private.refuse_beyond('groups');
  end if;
  delete from private.group_members m where m.group_id = $1 and m.email in (select lower(btrim(e)) from unnest($4) as e);
  insert into private.group_members (group_id, email) select $1, e from private.read_group_emails($3) as e
  on conflict do nothing;
  if (select count(*) from private.group_members m where m.group_id = $1) > private.most('group_emails') then
    perform private.refuse_beyond('group_emails');
  end if;
end
$$;

-- Deletes a group. @returns what it was, so that it can be had back: name, addresses, and of each folder its role and who was in it.
create function public.delete_group(group_id uuid) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  content jsonb;
begin
  perform private.lock_group(private.caller_id(), $1);
  select jsonb_build_object(
    'name', g.name,
    'emails', (select coalesce(jsonb_agg(m.email order by m.created_at, m.email), '[]') from private.group_members m where m.group_id = $1),
    'folders', (
      select coalesce(jsonb_agg(jsonb_build_object('folder_id', s.folder_id, 'role', s.role, 'emails', (
        select coalesce(jsonb_agg(m.email), '[]') from public.folder_members m where m.folder_id = s.folder_id and m.group_id = $1
      )) order by s.created_at, s.folder_id), '[]')
      from private.folder_groups s where s.group_id = $1
    )
  ) into content from private.groups g where g.id = $1;
  delete from private.groups g where g.id = $1;
  return content;
end
$$;

-- What delete_group gave, with the same id. Who had left one of the folders does not come back to it, and a folder that is gone is left out.
create function public.restore_group(group_id uuid, content jsonb) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
  emails text[] := array(select jsonb_array_elements_text($2 -> 'emails'));
  shared record;
begin
  perform public.save_group($1, $2 ->> 'name', emails);
  for shared in
    select f.id as folder_id, s.role, s.emails
    from jsonb_to_recordset($2 -> 'folders') as s(folder_id uuid, role text, emails jsonb)
    join public.folders f on f.id = s.folder_id and f.user_id = caller
    order by f.id
  loop
    perform public.share_folder_with_group(shared.folder_id, $1, shared.role);
    delete from public.folder_members m
    where m.folder_id = shared.folder_id and m.group_id = $1 and not shared.emails ? m.email;
  end loop;
end
$$;

-- The groups that one's own folder is shared with, and how many people each has in it.
create function public.list_folder_groups(folder_id uuid)
  returns table (group_id uuid, name text, role text, member_count integer)
  language sql stable
  security definer
  set search_path = ''
as $$
  select g.id, g.name, s.role,
    (select count(*) from public.folder_members m where m.folder_id = $1 and m.group_id = g.id)::integer
  from private.folder_groups s join private.groups g on g.id = s.group_id
  where s.folder_id = $1 and s.owner_id = private.caller_id()
  order by s.created_at, g.id
$$;

-- Shares one's own folder with one's own group, in a role, or changes the role.
create function public.share_folder_with_group(folder_id uuid, group_id uuid, role text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
  old_role text;
begin
  perform from public.folders f where f.id = $1 and f.user_id = caller for key share;
  if not found then
    raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
  end if;
  perform private.lock_group(caller, $2);
  select s.role into old_role from private.folder_groups s where s.folder_id = $1 and s.group_id = $2;
  -- What takes away is allowed on every plan.
  if coalesce(array_position(array['viewer', 'editor', 'manager'], $3) > array_position(array['viewer', 'editor', 'manager'], old_role), true)
  then
    perform private.require_sharing_plan(caller);
  end if;
  insert into private.folder_groups (folder_id, group_id, owner_id, role) values ($1, $2, caller, $3)
  on conflict on constraint folder_groups_pkey do update set role = excluded.role;
end
$$;

-- Ends it: whoever was there by this group alone loses the place.
create function public.end_group_share(folder_id uuid, group_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.lock_group(private.caller_id(), $2);
  delete from private.folder_groups s where s.folder_id = $1 and s.group_id = $2;
end
$$;

revoke all on function private.place_group_members(), private.lock_groups_of(uuid, uuid),
  private.lock_group(uuid, uuid), private.read_group_emails(text[]) from public;
revoke all on function public.list_groups(), public.save_group(uuid, text, text[], text[]), public.delete_group(uuid),
  public.restore_group(uuid, jsonb), public.list_folder_groups(uuid), public.share_folder_with_group(uuid, uuid, text),
  public.end_group_share(uuid, uuid) from public, anon, authenticated, service_role;
grant execute on function public.list_groups(), public.save_group(uuid, text, text[], text[]), public.delete_group(uuid),
  public.restore_group(uuid, jsonb), public.list_folder_groups(uuid), public.share_folder_with_group(uuid, uuid, text),
  public.end_group_share(uuid, uuid) to authenticated;
