-- A set of recovery codes is a second factor of its own kind, as GoTrue has it. Apart from its table: a value is not used in the transaction
-- that adds it.

set local role supabase_auth_admin;

alter type auth.factor_type add value if not exists 'recovery_code';

reset role;
