-- Who administers, and a record of everything that the administrator looked at.

-- Append-only, for everybody: requests have no rights here, and the triggers hold back even whoever does. It names users by id and
-- without a foreign key: an account that is deleted later was looked at all the same.
create table private.admin_audit_log (
  id bigint generated always as identity,
  happened_at timestamptz not null default clock_timestamp(),
  admin_id uuid not null,
  action text not null,
  user_id uuid,
  details jsonb not null default '{}',
  constraint admin_audit_log_pkey primary key (id)
);
alter table private.admin_audit_log enable row level security;
revoke all on private.admin_audit_log from public, anon, authenticated, service_role;

create function private.refuse_audit_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using errcode = 'insufficient_privilege', message = 'the audit log only grows';
end
$$;
create trigger admin_audit_log_only_grows before update or delete or truncate on private.admin_audit_log
  for each statement execute function private.refuse_audit_change();

-- Whether the caller administers this installation. About themselves only: who does is told to nobody.
create function public.is_admin() returns boolean
  language sql stable
  security definer
  set search_path = ''
as $$
  select private.is_admin()
$$;

-- Every function of the admin area begins with this: true for the administrator, with the look written down; false for anybody else,
-- who then gets nothing and leaves nothing.
create function private.enter_admin_area(action text, about uuid default null, details jsonb default '{}') returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if not private.is_admin() then
    return false;
  end if;
  insert into private.admin_audit_log (admin_id, action, user_id, details)
  values (auth.uid(), enter_admin_area.action, about, jsonb_strip_nulls(enter_admin_area.details));
  return true;
end
$$;

create or replace function public.get_all_profiles() returns setof public.profiles
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
begin
  if private.enter_admin_area('profiles') then
    return query select p.* from public.profiles p order by p.created_at desc, p.id;
  end if;
end
$$;

create or replace function public.get_all_user_emails() returns table (id uuid, email text)
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
begin
  if private.enter_admin_area('emails') then
    return query select u.id, u.email::text from auth.users u order by u.created_at desc, u.id;
  end if;
end
$$;

revoke all on function private.refuse_audit_change(), private.enter_admin_area(text, uuid, jsonb) from public;
revoke all on function public.is_admin() from public, anon, authenticated, service_role;
grant execute on function public.is_admin() to authenticated;
