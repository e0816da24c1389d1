-- The schemas and the standing grants of a hosted project, the automatic ones included: there, a new table in public is
-- born open to every API role. Keeping that here makes a forgotten revoke in supabase/migrations fail our tests.

create schema if not exists auth authorization supabase_auth_admin;
create schema if not exists extensions;

revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;
grant usage on schema extensions to anon, authenticated, service_role;

alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;

-- Empty until the product's migrations add their tables.
create publication supabase_realtime;
