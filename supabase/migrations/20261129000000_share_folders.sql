-- Folders shared with people who may look, change or manage. Beside what is shared by category (shared_with, public), which stays as it
-- is. Everything in such a folder belongs to its owner, whose plan counts; the folder's own row is read by its owner alone, as it holds
-- addresses.

-- So many people a folder. Twin of packages/domain/src/plans.ts.
alter table private.plan_limits add column max_folder_members integer not null default 0;
update private.plan_limits set max_folder_members = 3 where plan = 'plus';
update private.plan_limits set max_folder_members = 100 where plan = 'pro';
alter table private.plan_limits alter column max_folder_members drop default;

create table public.folder_members (
  -- Of a deleted row the hosted platform tells the primary key to everyone who listens: an id tells nothing.
  id uuid not null default gen_random_uuid(),
  folder_id uuid not null,
  -- Whose folder it is: filled by the trigger below, whatever is given.
  owner_id uuid not null default '00000000-0000-0000-0000-000000000000',
  email text not null,
  role text not null,
  invited_by uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  -- Moves as well when what the member may see or do changes by something else than this row: screens and the realtime service's kept
  -- lists hear of it by this table alone (private.tell_folder_members).
  updated_at timestamptz not null default clock_timestamp(),
  -- The account whose confirmed address this is, as soon as there is one. No client reads it: it would tell who has an account.
  member_id uuid,
  constraint folder_members_pkey primary key (id),
  constraint folder_members_folder_id_email_key unique (folder_id, email),
  constraint folder_members_folder_of_owner foreign key (folder_id, owner_id)
    references public.folders (id, user_id) on delete cascade,
  constraint folder_members_invited_by_fkey foreign key (invited_by) references public.profiles (id) on delete set null,
  constraint folder_members_member_id_fkey foreign key (member_id) references public.profiles (id) on delete set null,
  constraint folder_members_email_valid check (private.are_share_emails(array[email])),
  constraint folder_members_role_known check (role in ('viewer', 'editor', 'manager')),
  constraint folder_members_not_the_owner check (member_id <> owner_id)
);
create index folder_members_of_member on public.folder_members (member_id);
create index folder_members_of_owner on public.folder_members (owner_id);
create index folder_members_of_email on public.folder_members (email);
create index folder_members_of_inviter on public.folder_members (invited_by);

alter table public.folder_members enable row level security;
revoke all on public.folder_members from public, anon, authenticated;
grant select (id, folder_id, owner_id, email, role, invited_by, created_at, updated_at), delete,
  insert (folder_id, email, role), update (role) on public.folder_members to authenticated;
grant all on public.folder_members to service_role;

-- Kept from the folder's members, by its owner. A column: it goes to the bin and comes back with the category.
alter table public.categories add column is_held_back boolean not null default false;
grant insert (is_held_back), update (is_held_back) on public.categories to authenticated;

-- The one rule: who, besides its owner, may do what in a folder. Where the owner's plan does not share (any more) everybody looks on, and
-- while the owner's account is closed nobody has a place.
create view private.folder_places as
  select m.folder_id, m.owner_id, m.member_id as person_id, m.role,
    l.can_share and m.role in ('editor', 'manager') as may_write, l.can_share and m.role = 'manager' as may_manage
  from public.folder_members m
  join public.profiles p on p.id = m.owner_id
  join private.plan_limits l on l.plan = p.plan
  where m.member_id is not null and not exists (
    select from private.account_closures c where c.user_id = m.owner_id and c.reopened_at is null
  );
revoke all on private.folder_places from public, anon, authenticated, service_role;

-- What the caller may do in others' folders, as the lists that policies compare with. (What each reads is said for the realtime service,
-- see 20261123000500_write_policies.sql. Of a category that comes, goes, moves or is held back folder_members tells.)

-- The categories whose list holds the caller's address, and those of the folders that are shared with them.
create or replace function private.invited_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(category_id), '{}')
  from (
    select s.category_id from public.shared_with s where s.email = lower(auth.email())
    union
    select c.id
    from private.folder_places r join public.categories c on c.folder_id = r.folder_id
    where r.person_id = auth.uid() and not c.is_held_back
  ) as invited
$$;
comment on function private.invited_category_ids() is
  'realtime: reads public.shared_with, public.folder_members, public.profiles, private.plan_limits, private.account_closures';

-- Those of them whose links open: of what is shared by category as many as the caller's plan has; folders count towards no plan but their
-- owner's.
create or replace function private.openable_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(category_id), '{}')
  from (
    (
      select s.category_id
      from public.shared_with s
      where s.email = lower(auth.email())
      order by s.category_id = (select c.category_id from private.chosen_shares c where c.user_id = auth.uid()) desc nulls last,
        s.created_at, s.category_id
      limit coalesce(
        (select coalesce(l.max_received_shares, 2147483647)
         from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = auth.uid()),
        (select max_received_shares from private.plan_limits where plan = 'free')
      )
    )
    union
    select c.id
    from private.folder_places r join public.categories c on c.folder_id = r.folder_id
    where r.person_id = auth.uid() and not c.is_held_back
  ) as openable
$$;
comment on function private.openable_category_ids() is
  'realtime: reads public.shared_with, public.folder_members, private.chosen_shares, public.profiles, private.plan_limits, private.account_closures';

-- The folders themselves: a category that somebody has just made is in no list of categories yet.
create function private.received_folder_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(r.folder_id), '{}') from private.folder_places r where r.person_id = auth.uid()
$$;
comment on function private.received_folder_ids() is
  'realtime: reads public.folder_members, public.profiles, private.plan_limits, private.account_closures';

create function private.writable_folder_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(r.folder_id), '{}') from private.folder_places r
  where r.person_id = auth.uid() and r.may_write
$$;

create function private.writable_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(c.id), '{}')
  from private.folder_places r join public.categories c on c.folder_id = r.folder_id
  where r.person_id = auth.uid() and r.may_write and not c.is_held_back
$$;

-- Folders whose members the caller may change, their own not among them.
create function private.managed_folder_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(r.folder_id), '{}') from private.folder_places r
  where r.person_id = auth.uid() and r.may_manage
$$;
comment on function private.managed_folder_ids() is
  'realtime: reads public.folder_members, public.profiles, private.plan_limits, private.account_closures';

revoke all on function private.received_folder_ids(), private.writable_folder_ids(), private.writable_category_ids(),
  private.managed_folder_ids() from public;
grant execute on function private.received_folder_ids(), private.writable_folder_ids(), private.writable_category_ids(),
  private.managed_folder_ids() to authenticated;

alter policy categories_select_own_or_invited on public.categories using (
  user_id = (select auth.uid()) or id = any ((select private.invited_category_ids())::uuid[])
  or (folder_id = any ((select private.received_folder_ids())::uuid[]) and not is_held_back)
);

-- Members: the owner and managers see and change the list; everybody sees, and may end, their own place.
create policy folder_members_select_own_or_managed on public.folder_members
  for select to authenticated using (
    owner_id = (select auth.uid()) or member_id = (select auth.uid())
    or folder_id = any ((select private.managed_folder_ids())::uuid[])
  );
create policy folder_members_insert_managed on public.folder_members
  for insert to authenticated with check (
    owner_id = (select auth.uid()) or folder_id = any ((select private.managed_folder_ids())::uuid[])
  );
create policy folder_members_update_managed on public.folder_members
  for update to authenticated using (
    owner_id = (select auth.uid()) or folder_id = any ((select private.managed_folder_ids())::uuid[])
  ) with check (
    owner_id = (select auth.uid()) or folder_id = any ((select private.managed_folder_ids())::uuid[])
  );
create policy folder_members_delete_own_or_managed on public.folder_members
  for delete to authenticated using (
    owner_id = (select auth.uid()) or member_id = (select auth.uid())
    or folder_id = any ((select private.managed_folder_ids())::uuid[])
  );
-- Other people's addresses are for programs that may share.
create policy folder_members_of_open_account on public.folder_members as restrictive
  for all to authenticated using ((select private.may_share()));
create policy folder_members_service on public.folder_members for all to service_role using (true) with check (true);

-- Whose address it is, once it is confirmed; the owner's own is nobody's.
create function private.account_of(address text, but_not uuid) returns uuid
  language sql stable
  set search_path = ''
as $$
  select u.id from auth.users u join public.profiles p on p.id = u.id
  where lower(u.email) = address and u.email_confirmed_at is not null and u.deleted_at is null and u.id <> but_not
  order by u.created_at, u.id limit 1
$$;

-- As for invitations (gate_invitation): about somebody else's folder it says nothing and leaves the refusal to the policy.
create function private.gate_folder_member() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if tg_op = 'UPDATE' then
    -- What takes away is allowed on every plan.
    if array_position(array['viewer', 'editor', 'manager'], new.role) > array_position(array['viewer', 'editor', 'manager'], old.role)
      and (caller is null or caller = new.owner_id or new.folder_id = any (private.managed_folder_ids()))
    then
      perform private.require_sharing_plan(new.owner_id);
    end if;
    new.updated_at := clock_timestamp();
    return new;
  end if;
  new.email := lower(btrim(new.email));
  select f.user_id into new.owner_id from public.folders f where f.id = new.folder_id;
  if not found then
    -- No owner: the policy refuses it as it refuses anybody else's.
    new.owner_id := '00000000-0000-0000-0000-000000000000';
    return new;
  end if;
  if caller is not null and caller <> new.owner_id and new.folder_id <> all (private.managed_folder_ids()) then
    return new;
  end if;
  perform private.require_sharing_plan(new.owner_id);
  if caller = new.owner_id and new.email = lower(auth.email()) then
    raise exception using errcode = 'PT400', message = 'A pasta já é sua';
  end if;
  new.member_id := private.account_of(new.email, new.owner_id);
  return new;
end
$$;
create trigger folder_members_gate before insert or update on public.folder_members
  for each row execute function private.gate_folder_member();

-- A person's invited addresses, in all their categories and folders together.
create function private.invitation_count(person uuid) returns bigint
  language sql stable
  set search_path = ''
as $$
  select (select count(*) from public.folder_members m where m.owner_id = person)
    + (select count(*) from public.categories c join public.shared_with s on s.category_id = c.id where c.user_id = person)
$$;

create or replace function private.limit_invitations_of_person() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person uuid;
begin
  for person in
    select distinct c.user_id from public.categories c
    where c.id = any (array(select distinct a.category_id from added a)) order by c.user_id
  loop
    -- Of two statements racing for the last place, in whichever categories, the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    if private.invitation_count(person) > private.most('invitations')
      and not exists (select from private.restorations r where r.user_id = person)
    then
      perform private.refuse_beyond('invitations');
    end if;
  end loop;
  return null;
end
$$;

-- So many a folder as its owner's plan has, and of all folders and categories of a person together as many as there are invitations.
create function private.limit_folder_members() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person uuid;
  allowed integer;
  owner_plan text;
begin
  for person in select distinct a.owner_id from added a order by a.owner_id loop
    -- Of two statements racing for the last place the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    continue when exists (select from private.restorations r where r.user_id = person);
    select l.max_folder_members, l.plan into allowed, owner_plan
    from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = person;
    if exists (
      select from public.folder_members m
      where m.folder_id = any (array(select distinct a.folder_id from added a where a.owner_id = person))
      group by m.folder_id having count(*) > allowed
    ) then
      raise exception using
        errcode = 'P0001',
        message = format('Limite de %s pessoas por pasta atingido', allowed),
        -- Which plan the owner has is not for managers to know.
        detail = json_build_object('max', allowed, 'plan', case when auth.uid() = person then owner_plan end)::text,
        hint = 'plan_limit_folder_members';
    end if;
    if private.invitation_count(person) > private.most('invitations') then
      perform private.refuse_beyond('invitations');
    end if;
  end loop;
  return null;
end
$$;
create trigger folder_members_limit after insert on public.folder_members
  referencing new table as added for each statement execute function private.limit_folder_members();

-- An invited address gets its place when somebody has confirmed it, and a changed address takes no place along.
create function private.follow_confirmed_address() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.folder_members m set member_id = null
  where m.member_id = new.id and (new.email_confirmed_at is null or m.email is distinct from lower(new.email));
  if new.email_confirmed_at is not null then
    update public.folder_members m set member_id = private.account_of(m.email, m.owner_id)
    where m.email = lower(new.email) and m.member_id is null and m.owner_id <> new.id;
  end if;
  return null;
end
$$;
-- By its name after profiles_follow_user, which makes the profile that is pointed at.
create trigger share_folders_follow_address after insert or update of email, email_confirmed_at on auth.users
  for each row execute function private.follow_confirmed_address();

-- What members see of a folder besides their own row: its name, its categories, whether the owner's plan still lets them write. Their
-- rows are written anew, so that whoever listens to them asks again. For a folder that nobody shares it is one look at an index.
create function private.tell_folder_members() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  folder_ids uuid[];
begin
  if tg_table_name = 'folders' then
    folder_ids := array(
      select a.id from added a join removed r on r.id = a.id where a.name <> r.name
    );
  elsif tg_op = 'INSERT' then
    folder_ids := array(select distinct a.folder_id from added a);
  elsif tg_op = 'DELETE' then
    folder_ids := array(select distinct r.folder_id from removed r);
  else
    folder_ids := array(
      select distinct changed.folder_id
      from (
        (select id, folder_id, name, description, is_held_back from removed
         except select id, folder_id, name, description, is_held_back from added)
        union all
        (select id, folder_id, name, description, is_held_back from added
         except select id, folder_id, name, description, is_held_back from removed)
      ) as changed
    );
  end if;
  update public.folder_members m set updated_at = clock_timestamp() where m.folder_id = any (folder_ids);
  return null;
end
$$;
create trigger folders_tell_members after update on public.folders
  referencing old table as removed new table as added for each statement execute function private.tell_folder_members();
create trigger categories_tell_members_added after insert on public.categories
  referencing new table as added for each statement execute function private.tell_folder_members();
create trigger categories_tell_members_changed after update on public.categories
  referencing old table as removed new table as added for each statement execute function private.tell_folder_members();
create trigger categories_tell_members_removed after delete on public.categories
  referencing old table as removed for each statement execute function private.tell_folder_members();

create function private.tell_members_of_owner() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.folder_members m set updated_at = clock_timestamp() where m.owner_id = new.id;
  return null;
end
$$;
create function private.tell_members_of_closed() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.folder_members m set updated_at = clock_timestamp() where m.owner_id = new.user_id;
  return null;
end
$$;
create trigger account_closures_tell_members after insert or update of reopened_at on private.account_closures
  for each row execute function private.tell_members_of_closed();
create trigger profiles_tell_members after update of plan, name on public.profiles
  for each row when ((old.plan, old.name) is distinct from (new.plan, new.name))
  execute function private.tell_members_of_owner();

-- What a program may not share by changing links.
create trigger categories_new_held_back_in_scope before insert on public.categories
  for each row when (new.is_held_back) execute function private.refuse_sharing_out_of_scope();
create trigger categories_hold_back_in_scope before update on public.categories
  for each row when (new.is_held_back <> old.is_held_back) execute function private.refuse_sharing_out_of_scope();

revoke all on function private.account_of(text, uuid), private.invitation_count(uuid), private.gate_folder_member(), private.limit_folder_members(),
  private.follow_confirmed_address(), private.tell_folder_members(), private.tell_members_of_owner(),
  private.tell_members_of_closed() from public;

-- The folders that are shared with the caller, with what they may do in them now.
create function public.received_folders()
  returns table (folder_id uuid, name text, owner_id uuid, owner_name text, role text, may_write boolean, shared_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select r.folder_id, f.name, r.owner_id, p.name, r.role, r.may_write, m.created_at
  from private.folder_places r
  join public.folder_members m on m.folder_id = r.folder_id and m.member_id = r.person_id
  join public.folders f on f.id = r.folder_id
  join public.profiles p on p.id = r.owner_id
  where r.person_id = private.reader_id()
  order by m.created_at, r.folder_id
$$;
revoke all on function public.received_folders() from public, anon, authenticated, service_role;
grant execute on function public.received_folders() to authenticated;
comment on function public.received_folders() is 'The folders shared with the caller. Nullable: owner_name.';

-- How the caller stands to a category. As before; who has a place in its folder is invited, also where it is public: they read its rows.
create or replace function private.category_access(category_id uuid) returns text
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  owner_id uuid;
  published boolean;
begin
  select c.user_id, c.is_public into owner_id, published from public.categories c where c.id = category_access.category_id;
  if not found then
    return null;
  elsif not private.may_read_links() then
    return case
      when published then 'public'
      when exists (select from public.shared_with s where s.category_id = category_access.category_id) then 'denied'
    end;
  elsif owner_id = auth.uid() then
    return 'owner';
  elsif category_access.category_id = any (private.openable_category_ids()) then
    return 'invited';
  elsif published then
    return 'public';
  elsif category_access.category_id = any (private.invited_category_ids()) then
    return 'limited';
  elsif exists (select from public.shared_with s where s.category_id = category_access.category_id) then
    return 'denied';
  end if;
  return null;
end
$$;

-- Those of the categories that anybody but their owner may look at.
create or replace function private.shared_category_ids(candidates uuid[]) returns uuid[]
  language sql stable
  set search_path = ''
as $$
  select array(
    select c.id from public.categories c
    where c.id = any (candidates)
      and (
        c.is_public
        or exists (select from public.shared_with s where s.category_id = c.id)
        or exists (select from public.folder_members m where m.folder_id = c.folder_id)
      )
  )
$$;

-- What open screens hear of. A publication of all tables has it already, and takes no single one.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime' and puballtables) then
    alter publication supabase_realtime add table public.folder_members;
  end if;
end
$$;
alter table public.folder_members replica identity full;
