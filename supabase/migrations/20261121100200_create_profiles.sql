-- The public face of an account: one row appears with each user. Clients may change `name` alone; `plan` follows the
-- subscription (next migration).
create table public.profiles (
  id uuid not null,
  name text,
  plan text not null default 'free',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_pkey primary key (id),
  constraint profiles_id_is_a_user foreign key (id) references auth.users (id) on delete cascade,
  constraint profiles_plan_is_known foreign key (plan) references private.plan_limits (plan),
  constraint profiles_name_length check (char_length(name) between 1 and 100)
);
alter table public.profiles enable row level security;
revoke all on public.profiles from public, anon, authenticated;
grant select, update (name, updated_at) on public.profiles to authenticated;
grant all on public.profiles to service_role;

create trigger profiles_touch before update on public.profiles
  for each row execute function private.touch_updated_at();

-- The name a person gave at sign-up (name, or firstName and lastName) or that Google gave (full_name); null when there is none.
create function private.name_from_metadata(metadata jsonb) returns text
  language sql immutable
  set search_path = ''
as $$
  select nullif(btrim(left(btrim(coalesce(
    nullif(btrim(metadata ->> 'name'), ''),
    nullif(btrim(concat_ws(' ', nullif(btrim(metadata ->> 'firstName'), ''), nullif(btrim(metadata ->> 'lastName'), ''))), ''),
    metadata ->> 'full_name'
  )), 100)), '')
$$;

create function private.follow_user() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  given_name text := private.name_from_metadata(new.raw_user_meta_data);
begin
  if tg_op = 'INSERT' then
    insert into public.profiles (id, name) values (new.id, given_name) on conflict (id) do nothing;
  elsif given_name is distinct from private.name_from_metadata(old.raw_user_meta_data) then
    update public.profiles set name = given_name where id = new.id;
  end if;
  return null;
exception when others then
  -- An account must never be lost to its display name: the row is what matters.
  raise warning 'profile of user % took no name: %', new.id, sqlerrm;
  insert into public.profiles (id) values (new.id) on conflict (id) do nothing;
  return null;
end
$$;
revoke all on function private.name_from_metadata(jsonb), private.follow_user() from public;

create trigger profiles_follow_user after insert or update of raw_user_meta_data on auth.users
  for each row execute function private.follow_user();

-- Accounts older than this migration.
insert into public.profiles (id, name)
select id, private.name_from_metadata(raw_user_meta_data) from auth.users
on conflict (id) do nothing;
