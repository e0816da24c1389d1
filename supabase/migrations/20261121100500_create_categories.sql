create table public.categories (
  id uuid not null default gen_random_uuid(),
  name text not null,
  folder_id uuid not null,
  user_id uuid not null default auth.uid(),
  description text,
  is_public boolean not null default false,
  -- The owner's display name as viewers of a shared category read it: profiles stay closed to everyone but their owner,
  -- because a policy can open rows to a viewer but not some columns of them, and `plan` must not leak.
  name_users text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint categories_pkey primary key (id),
  constraint categories_folder_of_same_owner foreign key (folder_id, user_id)
    references public.folders (id, user_id) on delete cascade,
  -- What links point at: a category together with its owner, so that ownership cannot be crossed.
  constraint categories_id_and_owner unique (id, user_id),
  constraint categories_name_length check (char_length(name) between 1 and 50),
  constraint categories_name_trimmed check (name !~ '^\s|\s$'),
  constraint categories_description_length check (char_length(description) <= 200),
  constraint categories_name_users_length check (char_length(name_users) <= 100)
);
create index categories_newest_of_user on public.categories (user_id, created_at, id);
create index categories_newest_of_folder on public.categories (folder_id, created_at, id);

alter table public.categories enable row level security;
revoke all on public.categories from public, anon, authenticated;
grant select, delete,
  insert (id, name, folder_id, user_id, description, is_public, name_users),
  update (id, name, folder_id, user_id, description, is_public, name_users, updated_at) on public.categories to authenticated;
grant all on public.categories to service_role;

create trigger categories_touch before update on public.categories
  for each row execute function private.touch_updated_at();
create trigger categories_keep_identity before update on public.categories
  for each row when ((old.id, old.user_id, old.created_at) is distinct from (new.id, new.user_id, new.created_at))
  execute function private.refuse_identity_change();

create function private.fill_owner_name() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  new.name_users := (select name from public.profiles where id = new.user_id);
  return new;
end
$$;

-- A renamed owner is renamed wherever the old name stood; a name the client chose for one category stays.
create function private.spread_owner_name() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.categories set name_users = new.name
  where user_id = new.id and name_users is not distinct from old.name;
  return null;
end
$$;
revoke all on function private.fill_owner_name(), private.spread_owner_name() from public;

create trigger categories_fill_owner_name before insert or update on public.categories
  for each row when (new.name_users is null or new.name_users = '')
  execute function private.fill_owner_name();
create trigger profiles_spread_name after update of name on public.profiles
  for each row when (old.name is distinct from new.name)
  execute function private.spread_owner_name();
