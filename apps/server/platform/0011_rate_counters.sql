-- How often something happened within a window, for all copies of the server. Keys are hashes: an address that has no account is
-- kept nowhere in clear.

set local role supabase_auth_admin;

create table auth.rate_counters (
  key text not null,
  points integer not null,
  ends_at timestamptz not null,
  constraint rate_counters_pkey primary key (key),
  constraint rate_counters_points_are_counted check (points >= 0)
);
create index rate_counters_ends_at_idx on auth.rate_counters (ends_at);

reset role;
