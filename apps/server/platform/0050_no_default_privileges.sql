-- The automatic grants of a hosted project (0002) open each new table in public to every API role, and a restored table is a new one:
-- pg_restore would hand every row to visitors. Here nothing is granted by default; supabase/migrations says each grant itself.

do $$
declare
  granted record;
begin
  for granted in
    select d.defaclrole::regrole::text as owner, n.nspname as schema_name,
      case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' else 'types' end as kind,
      case a.grantee when 0 then 'public' else a.grantee::regrole::text end as grantee
    from pg_catalog.pg_default_acl d
    join pg_catalog.pg_namespace n on n.oid = d.defaclnamespace
    cross join lateral pg_catalog.aclexplode(d.defaclacl) a
    where n.nspname in ('public', 'private', 'auth', 'storage', 'realtime')
  loop
    begin
      execute format('alter default privileges for role %s in schema %I revoke all on %s from %s',
        granted.owner, granted.schema_name, granted.kind, granted.grantee);
    exception
      -- Of a role that this account may not act as. The server compares rights when it starts, and names it.
      when insufficient_privilege then
        null;
    end;
  end loop;
end
$$;
