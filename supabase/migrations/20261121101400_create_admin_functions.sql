-- The administrator is the one user id in the configuration; there is no role field. The server writes it here (service role).
create table private.installation (
  is_this boolean not null default true,
  admin_user_id uuid,
  constraint installation_pkey primary key (is_this),
  constraint installation_is_one_row check (is_this)
);
insert into private.installation default values;
grant usage on schema private to service_role;
grant select, update (admin_user_id) on private.installation to service_role;

create function private.is_admin() returns boolean
  language sql stable
  security definer
  set search_path = ''
as $$
  select exists (select from private.installation where admin_user_id = auth.uid())
$$;

create function public.get_all_profiles() returns setof public.profiles
  language sql stable
  security definer
  set search_path = ''
as $$
  select p.* from public.profiles p where (select private.is_admin()) order by p.created_at desc, p.id
$$;

create function public.get_all_user_emails() returns table (id uuid, email text)
  language sql stable
  security definer
  set search_path = ''
as $$
  select u.id, u.email::text from auth.users u where (select private.is_admin()) order by u.created_at desc, u.id
$$;

revoke all on function private.is_admin() from public;
revoke all on function public.get_all_profiles(), public.get_all_user_emails() from public, anon, authenticated, service_role;
grant execute on function public.get_all_profiles(), public.get_all_user_emails() to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.get_all_user_emails() is
  'The address of every account, for the administrator. Nullable: email.';
