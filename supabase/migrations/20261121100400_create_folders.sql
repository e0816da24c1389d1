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
  constraint folders_shared_with_emails check (private.are_share_emails(shared_with))
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
revoke all on function private.lower_folder_emails() from public;

create trigger folders_lower_emails before insert or update of shared_with on public.folders
  for each row when (new.shared_with <> '{}')
  execute function private.lower_folder_emails();
