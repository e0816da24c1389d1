-- Folders, categories and links.

create table public.folders (
  id uuid not null default gen_random_uuid(),
  name text not null,
  user_id uuid not null default auth.uid(),
  is_public boolean not null default false,
  shared_with text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint folders_pkey primary key (id),
  constraint folders_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  -- What categories point at: a folder together with its owner, so that ownership cannot be crossed.
  constraint folders_id_and_owner unique (id, user_id),
  constraint folders_name_unique_per_user unique (user_id, name),
  constraint folders_name_length check (char_length(name) between 1 and 50),
  constraint folders_name_trimmed check (name !~ '^\s|\s$'),
  constraint folders_shared_with_emails check (private.are_share_emails(shared_with)),
  -- The list is written whole with every change of the folder.
  constraint folders_shared_with_length check (cardinality(shared_with) <= 100)
);
create index folders_newest_of_user on public.folders (user_id, created_at, id);

alter table public.folders enable row level security;
revoke all on public.folders from public, anon, authenticated;
grant select, delete,
  insert (id, name, user_id, is_public, shared_with),
  update (id, name, user_id, is_public, shared_with, updated_at) on public.folders to authenticated;
grant all on public.folders to service_role;

create trigger folders_touch before update on public.folders
  for each row execute function private.touch_updated_at();
create trigger folders_keep_identity before update on public.folders
  for each row when ((old.id, old.user_id, old.created_at) is distinct from (new.id, new.user_id, new.created_at))
  execute function private.refuse_identity_change();
create trigger folders_bound_dates before insert on public.folders
  for each row when (new.created_at < '1970-01-01 00:00:00+00' or new.created_at > now() + interval '1 day')
  execute function private.bound_dates();

-- Addresses are stored in lower case, however they were typed.
create function private.lower_folder_emails() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.shared_with := array(
    select lower(btrim(given.email)) from unnest(new.shared_with) with ordinality as given(email, place) order by given.place
  );
  return new;
end
$$;

create trigger folders_lower_emails before insert or update of shared_with on public.folders
  for each row when (new.shared_with <> '{}')
  execute function private.lower_folder_emails();

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
create trigger categories_bound_dates before insert on public.categories
  for each row when (new.created_at < '1970-01-01 00:00:00+00' or new.created_at > now() + interval '1 day')
  execute function private.bound_dates();

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

create trigger categories_fill_owner_name before insert or update on public.categories
  for each row when (new.name_users is null or new.name_users = '')
  execute function private.fill_owner_name();
create trigger profiles_spread_name after update of name on public.profiles
  for each row when (old.name is distinct from new.name)
  execute function private.spread_owner_name();

create table public.links (
  id uuid not null default gen_random_uuid(),
  url text not null,
  title text not null,
  description text,
  category_id uuid not null,
  user_id uuid not null default auth.uid(),
  -- The clock and not the transaction's start: links written by one statement keep their order and page apart.
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  constraint links_pkey primary key (id),
  constraint links_category_of_same_owner foreign key (category_id, user_id)
    references public.categories (id, user_id) on delete cascade,
  constraint links_title_length check (char_length(title) between 1 and 100),
  constraint links_title_not_blank check (title ~ '\S'),
  constraint links_description_length check (char_length(description) <= 1200),
  constraint links_url_length check (char_length(url) <= 500),
  constraint links_url_is_http check (url ~* '^https?://[^\s/?#]' and url !~ '[\x01-\x1f\x7f]')
);
-- Ascending, and read backwards for newest first: rows arrive in this order, so pages fill up; descending leaves them half empty.
create index links_newest_of_user on public.links (user_id, created_at, id);
create index links_newest_of_category on public.links (category_id, created_at, id);
-- Links lie on disk in the order of their birth: a few bytes for every megabyte of them find those of a month.
create index links_by_moment on public.links using brin (created_at) with (autosummarize = on);
-- By address. Wider than private.comparable_url (it ignores all case and trailing slashes) and built of the server's own functions
-- alone: a look finds the few candidates, and comparable_url decides. Its user comes first, so an address that everyone saves costs
-- nobody more.
create index links_address_of_user on public.links (
  user_id, hashtextextended(rtrim(lower(url collate "C"), '/'), 0)
);

alter table public.links enable row level security;
revoke all on public.links from public, anon, authenticated;
grant select, delete,
  insert (id, url, title, description, category_id, user_id),
  update (id, url, title, description, category_id, user_id, updated_at) on public.links to authenticated;
grant all on public.links to service_role;

create trigger links_touch before update on public.links
  for each row execute function private.touch_updated_at();
create trigger links_keep_identity before update on public.links
  for each row when ((old.id, old.user_id, old.created_at) is distinct from (new.id, new.user_id, new.created_at))
  execute function private.refuse_identity_change();
create trigger links_bound_dates before insert on public.links
  for each row when (new.created_at < '1970-01-01 00:00:00+00' or new.created_at > now() + interval '1 day')
  execute function private.bound_dates();

revoke all on function private.lower_folder_emails(), private.fill_owner_name(), private.spread_owner_name() from public;
