-- Counters, so that no screen and no limit ever scans: one row a user, one row a category. Clients read their own.
create table public.library_counts (
  user_id uuid not null,
  folder_count integer not null default 0,
  category_count integer not null default 0,
  link_count integer not null default 0,
  constraint library_counts_pkey primary key (user_id),
  constraint library_counts_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint library_counts_not_negative check (folder_count >= 0 and category_count >= 0 and link_count >= 0)
) with (fillfactor = 50);

create table public.category_counts (
  category_id uuid not null,
  user_id uuid not null,
  link_count integer not null default 0,
  constraint category_counts_pkey primary key (category_id),
  constraint category_counts_category_id_fkey foreign key (category_id)
    references public.categories (id) on delete cascade,
  constraint category_counts_not_negative check (link_count >= 0)
) with (fillfactor = 50);
create index category_counts_of_user on public.category_counts (user_id);

alter table public.library_counts enable row level security;
alter table public.category_counts enable row level security;
revoke all on public.library_counts, public.category_counts from public, anon, authenticated, service_role;
grant select on public.library_counts, public.category_counts to authenticated, service_role;

create function private.start_counting() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into public.library_counts (user_id) values (new.id) on conflict (user_id) do nothing;
  return null;
end
$$;

revoke all on function private.start_counting() from public;

-- Hung on profiles and not on auth.users: the platform's table carries one trigger of ours, and every user has a profile.
create trigger library_counts_start after insert on public.profiles
  for each row execute function private.start_counting();

insert into public.library_counts (user_id) select id from public.profiles on conflict (user_id) do nothing;
