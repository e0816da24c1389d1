-- Groups: named lists of addresses that a person keeps ('Turma 9B') and shares folders with. They are their owner's alone; no API reaches
-- the tables, and no program does: it would learn other people's addresses.
create table private.groups (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint groups_pkey primary key (id),
  -- For the foreign key below.
  constraint groups_id_user_id_key unique (id, user_id),
  constraint groups_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint groups_name_length check (char_length(name) between 1 and 100),
  constraint groups_name_trimmed check (name !~ '^\s|\s$')
);
create unique index groups_name_once on private.groups (user_id, lower(name));

create table private.group_members (
  group_id uuid not null,
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint group_members_pkey primary key (group_id, email),
  constraint group_members_group_exists foreign key (group_id) references private.groups (id) on delete cascade,
  constraint group_members_email_valid check (private.are_share_emails(array[email]))
);
create index group_members_of_email on private.group_members (email);

-- With which groups a folder is shared: both belong to one person.
create table private.folder_groups (
  folder_id uuid not null,
  group_id uuid not null,
  owner_id uuid not null,
  role text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint folder_groups_pkey primary key (folder_id, group_id),
  -- For the foreign key of folder_members, which has the role follow.
  constraint folder_groups_role_key unique (folder_id, group_id, role),
  constraint folder_groups_folder_of_owner foreign key (folder_id, owner_id)
    references public.folders (id, user_id) on delete cascade,
  constraint folder_groups_group_of_owner foreign key (group_id, owner_id)
    references private.groups (id, user_id) on delete cascade,
  constraint folder_groups_role_known check (role in ('viewer', 'editor', 'manager'))
);
create index folder_groups_of_group on private.folder_groups (group_id);

alter table private.groups enable row level security;
alter table private.group_members enable row level security;
alter table private.folder_groups enable row level security;
revoke all on private.groups, private.group_members, private.folder_groups from public, anon, authenticated, service_role;

-- Who is in a folder by a group has a row of their own for it, beside the one of their address if there is one: so what screens and the
-- realtime service listen to stays this one table. The foreign keys take it away when the address leaves the group, the group leaves the
-- folder, or either goes, and have its role follow the group's.
alter table public.folder_members
  add column group_id uuid,
  drop constraint folder_members_folder_id_email_key,
  add constraint folder_members_folder_id_email_key unique nulls not distinct (folder_id, email, group_id),
  add constraint folder_members_of_shared_group foreign key (folder_id, group_id, role)
    references private.folder_groups (folder_id, group_id, role) on update cascade on delete cascade,
  add constraint folder_members_in_group foreign key (group_id, email)
    references private.group_members (group_id, email) on delete cascade;
create index folder_members_of_group on public.folder_members (group_id, email) where group_id is not null;
grant select (group_id) on public.folder_members to authenticated;

-- The one rule, as before; whoever is there more than once has the highest of their roles.
create or replace view private.folder_places as
  select m.folder_id, m.owner_id, m.member_id as person_id,
    case when bool_or(m.role = 'manager') then 'manager' when bool_or(m.role = 'editor') then 'editor' else 'viewer' end as role,
    l.can_share and bool_or(m.role in ('editor', 'manager')) as may_write, l.can_share and bool_or(m.role = 'manager') as may_manage,
    min(m.created_at) as since
  from public.folder_members m
  join public.profiles p on p.id = m.owner_id
  join private.plan_limits l on l.plan = p.plan
  where m.member_id is not null and not exists (
    select from private.account_closures c where c.user_id = m.owner_id and c.reopened_at is null
  )
  group by m.folder_id, m.owner_id, m.member_id, l.can_share;

create or replace function public.received_folders()
  returns table (folder_id uuid, name text, owner_id uuid, owner_name text, role text, may_write boolean, shared_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select r.folder_id, f.name, r.owner_id, p.name, r.role, r.may_write, r.since
  from private.folder_places r
  join public.folders f on f.id = r.folder_id
  join public.profiles p on p.id = r.owner_id
  where r.person_id = private.reader_id()
  order by r.since, r.folder_id
$$;

-- Mails: once an address, with the highest role.
create or replace view private.folder_invitations as
  select m.folder_id, m.email,
    case when bool_or(m.role = 'manager') then 'manager' when bool_or(m.role = 'editor') then 'editor' else 'viewer' end as role
  from public.folder_members m
  join public.profiles p on p.id = m.owner_id
  join private.plan_limits l on l.plan = p.plan
  where l.can_share and not exists (
    select from private.account_closures c where c.user_id = m.owner_id and c.reopened_at is null
  )
  group by m.folder_id, m.email;

-- What is as before but for its words: people are counted once, however they came.
do $$
declare
  changed record;
  definition text;
begin
  for changed in
    select w.*
    from (values
      ('private.limit_folder_members()', 'having count(*) > allowed', 'having count(distinct m.email) > allowed'),
      ('public.claim_folder_notifications(integer)', 'join public.folder_members m on', 'join private.folder_invitations m on')
    ) as w(name, asks, instead)
  loop
    definition := pg_catalog.pg_get_functiondef(to_regprocedure(changed.name));
    if definition is null or position(changed.asks in definition) = 0 then
      raise exception '% does not ask %', changed.name, changed.asks;
    end if;
    execute replace(definition, changed.asks, changed.instead);
  end loop;
end
$$;

-- A role that comes from a group is changed with the group's.
alter policy folder_members_update_managed on public.folder_members using (
  group_id is null and (owner_id = (select auth.uid()) or folder_id = any ((select private.managed_folder_ids())::uuid[]))
);

-- The technical bounds, and two more. Twin of packages/domain/src/limits.ts; a test compares the two.
create or replace function private.most(what text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select case what
    when 'folders' then 10000
    when 'folder_emails' then 100
    when 'categories' then 10000
    when 'links' then 1000000
    when 'favorites' then 1000
    when 'saved_searches' then 100
    when 'invitations' then 10000
    when 'groups' then 100
    when 'group_emails' then 500
    when 'bin_rows' then 100000
    when 'import_parts' then 10000
    when 'files' then 10000
    when 'file_name_bytes' then 1024
    when 'file_note_bytes' then 10000
  end
$$;

create or replace function private.refuse_beyond(what text, code text default 'P0001') returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using
    errcode = code,
    message = format(
      case what
        when 'folders' then 'Limite de %s pastas atingido'
        when 'categories' then 'Limite de %s categorias atingido'
        when 'links' then 'Limite de %s links atingido'
        when 'favorites' then 'Limite de %s favoritos atingido'
        when 'saved_searches' then 'Limite de %s buscas salvas atingido'
        when 'invitations' then 'Limite de %s endereços convidados atingido'
        when 'groups' then 'Limite de %s grupos atingido'
        when 'group_emails' then 'Limite de %s endereços por grupo atingido'
        when 'import_parts' then 'Limite de %s partes importadas em um dia atingido'
        when 'files' then 'Limite de %s arquivos atingido'
        when 'file_name_bytes' then 'O nome de um arquivo tem no máximo %s bytes'
        when 'file_note_bytes' then 'As anotações de um arquivo têm no máximo %s bytes'
      end,
      replace(to_char(private.most(what), 'FM9,999,999'), ',', '.')
    ),
    detail = json_build_object('max', private.most(what))::text,
    hint = 'bound_' || what;
end
$$;
