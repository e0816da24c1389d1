-- Whoever has lost every second factor asks for them to be taken away, and waits: the account's address is told, and whoever proves a factor
-- meanwhile ends it. One at a time an account.

set local role supabase_auth_admin;

create table auth.factor_resets (
  user_id uuid not null,
  asked_at timestamptz not null,
  -- From when on it may be finished.
  ready_at timestamptz not null,
  constraint factor_resets_pkey primary key (user_id),
  constraint factor_resets_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint factor_resets_wait check (ready_at > asked_at)
);
create index factor_resets_ready_at_idx on auth.factor_resets (ready_at);

reset role;
