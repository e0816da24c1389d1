-- Accounts that are closed: by their owner, who has thirty days to come back, or for want of any sign-in. Signing in opens an
-- account again (20261121102523); until then nobody acts in its name, not even with a token that has not expired.

create table private.account_closures (
  user_id uuid not null,
  -- Stands for the account in the log below, and means nothing to anybody once the account is gone.
  id uuid not null default gen_random_uuid(),
  reason text not null,
  closed_at timestamptz not null default now(),
  -- Until then a deleted account can be had back. An account at rest is kept.
  purge_after timestamptz,
  purge_started_at timestamptz,
  reopened_at timestamptz,
  -- The person has not been told yet that the account is open again.
  is_notice_due boolean not null default false,
  constraint account_closures_pkey primary key (user_id),
  constraint account_closures_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint account_closures_reason_known check (reason in ('deletion', 'inactivity')),
  constraint account_closures_purge_is_of_deletion check ((reason = 'deletion') = (purge_after is not null))
);
create index account_closures_due on private.account_closures (purge_after) where reopened_at is null;

-- What happened to accounts, without a word of whose they were.
create table private.account_events (
  id bigint generated always as identity,
  happened_at timestamptz not null default now(),
  event text not null,
  closure_id uuid not null,
  constraint account_events_pkey primary key (id),
  constraint account_events_event_known check (event in ('deleted', 'suspended', 'reopened', 'purge_started', 'purged'))
);

alter table private.account_closures enable row level security;
alter table private.account_events enable row level security;
revoke all on private.account_closures, private.account_events from public, anon, authenticated, service_role;

-- May the caller's token act? Tokens from before an account was opened again stay what they were: ended. (In PL/pgSQL, which keeps
-- its plan: a statement asks this once, and it shall cost microseconds.)
create function private.is_account_open() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return not exists (
    select from private.account_closures c
    where c.user_id = auth.uid() and (
      c.reopened_at is null
      or coalesce((auth.jwt() ->> 'iat')::numeric, 0) < floor(extract(epoch from c.reopened_at))
    )
  );
end
$$;
comment on function private.is_account_open() is 'realtime: reads private.account_closures';

-- The caller, while the account is open; null like a visitor otherwise. For functions that run with their owner's rights, which
-- policies do not hold back.
create function private.caller_id() returns uuid
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return case when private.is_account_open() then auth.uid() end;
end
$$;
revoke all on function private.is_account_open(), private.caller_id() from public;
-- Policies call the first by this right; move_links, which runs with the caller's own rights, needs none.
grant execute on function private.is_account_open() to authenticated;

-- The log carries closures to the server alone: what it has noted of a viewer ends with the account.
alter publication linkoteca_policy_sources add table private.account_closures;
