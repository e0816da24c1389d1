-- Who may read a category besides its owner, by e-mail address.
create table public.shared_with (
  category_id uuid not null,
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Of a deleted row the hosted platform tells the primary key to everyone who listens to its table. An id tells nothing; an address
  -- and a category tell who was invited where.
  id uuid not null default gen_random_uuid(),
  constraint shared_with_pkey primary key (id),
  constraint shared_with_category_id_email_key unique (category_id, email),
  constraint shared_with_category_id_fkey foreign key (category_id)
    references public.categories (id) on delete cascade,
  constraint shared_with_email_valid check (private.are_share_emails(array[email]))
);
create index shared_with_earliest_of_email on public.shared_with (email, created_at, category_id);

alter table public.shared_with enable row level security;
revoke all on public.shared_with from public, anon, authenticated;
grant select, delete, insert (category_id, email) on public.shared_with to authenticated;
grant all on public.shared_with to service_role;

-- Addresses are stored in lower case, however they were typed.
create function private.lower_invited_email() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.email := lower(btrim(new.email));
  return new;
end
$$;

create trigger shared_with_lower_email before insert or update of email on public.shared_with
  for each row execute function private.lower_invited_email();

-- Whoever a category is shared with did not ask for it: they may leave, and what they left does not come back by itself. Where the
-- plan opens only one, they choose which; until they do it is the earliest.
create table private.left_shares (
  user_id uuid not null,
  -- No foreign key: a category that is deleted and brought back is the one that was left.
  category_id uuid not null,
  -- When it had been shared: whoever comes back at once has their old place among the others.
  shared_at timestamptz not null,
  left_at timestamptz not null default now(),
  constraint left_shares_pkey primary key (user_id, category_id),
  constraint left_shares_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade
);
create index left_shares_of_category on private.left_shares (category_id);

-- The one that a person wants opened first. It counts for nothing where it is not shared with them (any more).
create table private.chosen_shares (
  user_id uuid not null,
  category_id uuid not null,
  constraint chosen_shares_pkey primary key (user_id),
  constraint chosen_shares_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade
);
alter table private.left_shares enable row level security;
alter table private.chosen_shares enable row level security;
revoke all on private.left_shares, private.chosen_shares from public, anon, authenticated, service_role;

-- Sharing is for plans that include it. What is shared stays shared after a downgrade and can be reduced or turned off; only
-- what would extend it is refused. What was shared when it was deleted comes back shared, as it would have stayed.
--
-- These triggers run before the policies do, and with the rights of their owner. For rows of somebody else they say nothing and
-- leave the refusal to the policy: else their errors would tell a stranger who is on which plan, and which category is public.
create function private.require_sharing_plan(owner_id uuid) returns void
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  owner_plan text;
begin
  select p.plan into owner_plan
  from public.profiles p join private.plan_limits l on l.plan = p.plan
  where p.id = owner_id and not l.can_share;
  if found and not exists (select from private.restorations r where r.user_id = owner_id) then
    raise exception using
      errcode = 'P0001',
      message = 'Recurso indisponível',
      detail = json_build_object('plan', owner_plan)::text,
      hint = 'plan_sharing';
  end if;
end
$$;

create function private.gate_publishing() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if auth.uid() is null or auth.uid() = new.user_id then
    perform private.require_sharing_plan(new.user_id);
  end if;
  return new;
end
$$;

-- Public and restricted exclude each other: publishing drops the list, and a public category takes no addresses.
create function private.drop_shares_of_published() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from public.shared_with where category_id = new.id;
  return null;
end
$$;

-- One invitation at a time gets the lock: two shares of a lock would let two statements count the list at once, and deadlock where
-- both go on to change the category.
create function private.gate_invitation() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owner_id uuid;
  published boolean;
begin
  -- A simultaneous publishing waits, so that it sees this address and drops it.
  select user_id, is_public into owner_id, published from public.categories
  where id = new.category_id and (auth.uid() is null or user_id = auth.uid()) for no key update;
  if not found then
    return new; -- the policy or the foreign key refuses
  end if;
  perform private.require_sharing_plan(owner_id);
  if published then
    raise exception using
      errcode = 'check_violation',
      message = 'a public category takes no invitations',
      constraint = 'shared_with_category_not_public',
      table = 'shared_with',
      schema = 'public';
  end if;
  return new;
end
$$;

-- At most 100 addresses a category. A list that was longer already comes back whole from an undone deletion.
create function private.limit_invitations() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if exists (
    select from public.categories c
    where c.id = any (array(select distinct a.category_id from added a))
      and (select count(*) from public.shared_with s where s.category_id = c.id) > 100
      and not exists (select from private.restorations r where r.user_id = c.user_id)
  ) then
    raise exception using errcode = 'PT400', message = 'No máximo 100 endereços por categoria';
  end if;
  return null;
end
$$;

-- A person's invited addresses in all their categories together. Beside the limit of one category: lists of a hundred in ten thousand
-- categories would be a million addresses.
create function private.limit_invitations_of_person() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person uuid;
  total bigint;
begin
  for person in
    select distinct c.user_id from public.categories c
    where c.id = any (array(select distinct a.category_id from added a)) order by c.user_id
  loop
    -- Of two statements racing for the last place, in whichever categories, the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    select count(*) into total
    from public.categories c join public.shared_with s on s.category_id = c.id
    where c.user_id = person;
    if total > private.most('invitations') and not exists (select from private.restorations r where r.user_id = person) then
      perform private.refuse_beyond('invitations');
    end if;
  end loop;
  return null;
end
$$;

-- Whoever left is not invited again until they say so. For rows of somebody else it says nothing, as gate_invitation does.
create function private.respect_leaving() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if exists (
    select from private.left_shares l join auth.users u on u.id = l.user_id
    where l.category_id = new.category_id and lower(u.email) = new.email
  ) and exists (
    select from public.categories c
    where c.id = new.category_id and (auth.uid() is null or c.user_id = auth.uid())
  ) then
    raise exception using
      errcode = 'PT409',
      message = format('%s saiu deste compartilhamento. Para um novo convite, essa pessoa precisa aceitar na página da categoria.', new.email),
      hint = 'share_left';
  end if;
  return new;
end
$$;

create trigger categories_gate_new before insert on public.categories
  for each row when (new.is_public) execute function private.gate_publishing();
create trigger categories_gate_change before update on public.categories
  for each row when (new.is_public and not old.is_public) execute function private.gate_publishing();
create trigger categories_drop_shares after update on public.categories
  for each row when (new.is_public and not old.is_public) execute function private.drop_shares_of_published();

create trigger folders_gate_new before insert on public.folders
  for each row when (new.is_public or new.shared_with <> '{}') execute function private.gate_publishing();
create trigger folders_gate_change before update on public.folders
  for each row when ((new.is_public and not old.is_public) or not new.shared_with <@ old.shared_with)
  execute function private.gate_publishing();

create trigger shared_with_gate before insert on public.shared_with
  for each row execute function private.gate_invitation();
-- After the one that lowers the address, by its name.
create trigger shared_with_respect_leaving before insert on public.shared_with
  for each row execute function private.respect_leaving();
create trigger shared_with_limit after insert on public.shared_with
  referencing new table as added for each statement execute function private.limit_invitations();
create trigger shared_with_limit_of_person after insert on public.shared_with
  referencing new table as added for each statement execute function private.limit_invitations_of_person();

revoke all on function private.lower_invited_email(), private.require_sharing_plan(uuid), private.gate_publishing(),
  private.drop_shares_of_published(), private.gate_invitation(), private.limit_invitations(),
  private.limit_invitations_of_person(), private.respect_leaving() from public;
