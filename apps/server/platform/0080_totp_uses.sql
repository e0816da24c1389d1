-- The newest time step of each authenticator app that a code was accepted for (RFC 6238, section 5.2): a code that somebody has seen is good
-- for nothing, although its time is not over. GoTrue's own tables (0004) know no such thing, and a hosted project has not got this one.

set local role supabase_auth_admin;

create table auth.totp_uses (
  factor_id uuid not null,
  -- Half minutes since 1970.
  time_step bigint not null,
  constraint totp_uses_pkey primary key (factor_id),
  constraint totp_uses_factor_id_fkey foreign key (factor_id) references auth.mfa_factors (id) on delete cascade
);

reset role;
