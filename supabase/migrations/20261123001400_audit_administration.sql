-- Who administers, and a record of everything that the administrator looked at.

-- The administrator is the one user id in the configuration; there is no role field. The server writes it here (service role).
create table private.installation (
  is_this boolean not null default true,
  admin_user_id uuid,
  constraint installation_pkey primary key (is_this),
  constraint installation_is_one_row check (is_this)
);
insert into private.installation default values;
grant select, update (admin_user_id) on private.installation to service_role;

-- Append-only, for everybody: requests have no rights here, and the triggers hold back even whoever does. It names users by id and
-- without a foreign key: an account that is deleted later was looked at all the same.
create table private.admin_audit_log (
  id bigint generated always as identity,
  happened_at timestamptz not null default clock_timestamp(),
  admin_id uuid not null,
  action text not null,
  user_id uuid,
  details jsonb not null default '{}',
  transaction_id xid8,
  constraint admin_audit_log_pkey primary key (id)
);
create index admin_audit_log_newest on private.admin_audit_log (happened_at);
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

create function private.is_admin() returns boolean
  language sql stable
  security definer
  set search_path = ''
as $$
  select exists (select from private.installation where admin_user_id = private.caller_id())
$$;

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
--
-- The look is on record before anything is read, in a transaction that is over: a reading that fails, is cut off or is taken back
-- cannot take its record along. (A cast of a column that is asked for, say, fails with the value in the error's text.)
--
-- So each of the area's functions is called twice: the first call writes the record and answers nothing (null, or no rows); called with
-- the same arguments within ten seconds it reads. Our table API makes the first call by itself where a function's comment says
-- 'rest: recorded first', under the setting `linkoteca.record_only`, which has it written down whatever was before; elsewhere whoever calls
-- makes both.
create function private.enter_admin_area(action text, about uuid default null, details jsonb default '{}') returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  look jsonb := jsonb_strip_nulls(enter_admin_area.details);
begin
  if not private.is_admin() then
    return false;
  end if;
  -- What this transaction has written would go with it.
  if coalesce(current_setting('linkoteca.record_only', true), '') <> 'on' and exists (
    select from private.admin_audit_log l
    where l.happened_at > clock_timestamp() - interval '10 seconds' and l.transaction_id <> pg_current_xact_id()
      and l.admin_id = auth.uid() and l.action = enter_admin_area.action
      and l.user_id is not distinct from about and l.details = look
  ) then
    return true;
  end if;
  insert into private.admin_audit_log (admin_id, action, user_id, details, transaction_id)
  values (auth.uid(), enter_admin_area.action, about, look, pg_current_xact_id());
  return false;
end
$$;

create function public.get_all_profiles() returns setof public.profiles
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

create function public.get_all_user_emails() returns table (id uuid, email text)
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

-- The record of every look, newest first. Null for anybody but the administrator; reading it is a look, too.
create function public.admin_audit(page integer default 1, page_size integer default 20) returns jsonb
  language plpgsql
  volatile
  security definer
  set search_path = ''
as $$
declare
  size integer := least(greatest(coalesce(page_size, 20), 1), 100);
  at_page integer := greatest(coalesce(page, 1), 1);
begin
  if not private.enter_admin_area('audit', null, jsonb_build_object('page', at_page)) then
    return null;
  end if;
  return jsonb_build_object(
    'total', (select count(*) from private.admin_audit_log),
    'entries', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', k.id, 'happened_at', k.happened_at, 'action', k.action, 'details', k.details,
        'admin_id', k.admin_id, 'admin_email', (select u.email from auth.users u where u.id = k.admin_id),
        'user_id', k.user_id, 'user_email', (select u.email from auth.users u where u.id = k.user_id)
      ) order by k.id desc), '[]')
      from (
        select l.* from private.admin_audit_log l order by l.id desc offset (at_page - 1)::bigint * size limit size
      ) as k
    )
  );
end
$$;

revoke all on function private.refuse_audit_change(), private.is_admin(), private.enter_admin_area(text, uuid, jsonb)
  from public;
revoke all on function public.is_admin(), public.get_all_profiles(), public.get_all_user_emails(),
  public.admin_audit(integer, integer) from public, anon, authenticated, service_role;
grant execute on function public.is_admin(), public.get_all_profiles(), public.get_all_user_emails(),
  public.admin_audit(integer, integer) to authenticated;

comment on function public.get_all_profiles() is 'rest: recorded first';
comment on function public.get_all_user_emails() is
  'The address of every account, for the administrator. Nullable: email. rest: recorded first';
comment on function public.admin_audit(integer, integer) is 'rest: recorded first';
