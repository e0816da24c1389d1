-- The codes of a set, each good once. Eighty random bits each, so a plain hash keeps them; with the factor's id in it, equal codes of two
-- people do not look alike. Their factor goes with the account, and they with it.

set local role supabase_auth_admin;

create table auth.mfa_recovery_codes (
  factor_id uuid not null,
  -- SHA-256 of the factor's id and the code.
  code_hash text not null,
  used_at timestamptz,
  constraint mfa_recovery_codes_pkey primary key (factor_id, code_hash),
  constraint mfa_recovery_codes_factor_id_fkey foreign key (factor_id) references auth.mfa_factors (id) on delete cascade
);

reset role;
