/** A connection, or a transaction, that the catalogues are read through. */
export type CatalogueReader = {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
};

/**
 * Who may do what in the database, one sorted line a right, most of them in the words of SQL: grants, owners, row-level security,
 * policies, triggers, functions that act as their owner, default privileges, and what the server's login may become. Equal for equal
 * migrations, whatever the account that applied them and whichever Postgres from 15 to 18. Reads the catalogues alone: any role may ask.
 */
export async function listRights(client: CatalogueReader): Promise<readonly string[]> {
  const { rows: before } = await client.query(`select current_setting('search_path') as path`);
  const { rows } = await client.query(RIGHTS);
  // Outside a transaction the query's own setting has gone with it, and so does this one.
  await client.query(`select set_config('search_path', $1, true)`, [before[0]?.['path'] ?? '']);
  // In the order of bytes, not of the database's locale.
  return [...new Set(rows.map(({ line }) => String(line).replaceAll(/\s+/g, ' ').trim()))].sort();
}

const RIGHTS = `
  with
    -- Names are written out in full where the path is empty. What is joined with this is rendered after it.
    path as materialized (select set_config('search_path', '', true)),
    schemas as (
      select oid, nspname as name, nspowner as owner, nspacl as acl from pg_catalog.pg_namespace
      where nspname in ('public', 'private', 'auth', 'storage', 'realtime', 'payment_emulator', 'extensions',
        'linkoteca_platform', 'supabase_migrations')
    ),
    platform_roles as (
      select r.*, r.rolname as name from pg_catalog.pg_roles r
      where rolname in ('anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin',
        'supabase_storage_admin', 'supabase_realtime_admin', 'payment_emulator')
    ),
    -- Whom a request can act as, and everybody.
    grantees as (
      select oid, name from platform_roles union all select 0, 'public'
    ),
    relations as (
      select c.oid, s.name as schema, c.relname, format('%I.%I', s.name, c.relname) as name, c.relkind as kind,
        c.relowner as owner, c.relacl as acl, c.relrowsecurity, c.relforcerowsecurity, c.relispartition, c.reloptions
      from path, pg_catalog.pg_class c join schemas s on s.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and not exists (
          select from pg_catalog.pg_depend d
          where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
        )
    ),
    functions as (
      select p.oid, format('%I.%I(%s)', s.name, p.proname, pg_catalog.oidvectortypes(p.proargtypes)) as name,
        p.proowner as owner, p.proacl as acl, p.prosecdef, p.proconfig
      from path, pg_catalog.pg_proc p join schemas s on s.oid = p.pronamespace
      where not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
    ),
    objects as (
      select 'schema ' || name as object, owner, coalesce(acl, pg_catalog.acldefault('n', owner)) as acl, 0 as most from schemas
      union all
      select 'sequence ' || name, owner, coalesce(acl, pg_catalog.acldefault('s', owner)), 3 from relations where kind = 'S'
      union all
      select 'table ' || name, owner, coalesce(acl, pg_catalog.acldefault('r', owner)), 7 from relations where kind <> 'S'
      union all
      select 'function ' || name, owner, coalesce(acl, pg_catalog.acldefault('f', owner)), 0 from functions
    ),
    granted as (
      select o.object, o.owner, o.most, g.name as grantee, a.is_grantable,
        array_agg(lower(a.privilege_type) order by a.privilege_type) filter (where a.privilege_type <> 'MAINTAIN') as privileges,
        bool_or(a.privilege_type = 'MAINTAIN') as maintains
      from objects o cross join lateral pg_catalog.aclexplode(o.acl) a join grantees g on g.oid = a.grantee
      where a.grantee <> o.owner
      group by 1, 2, 3, 4, 5
    )
  -- What grant all gives beyond 16, maintain, is part of all; alone it is a right of its own.
  select 'grant ' || case
      when cardinality(privileges) = most then 'all'
      else array_to_string(privileges || case when maintains then array['maintain'] end, ', ')
    end || ' on ' || object || ' to ' || grantee || case when is_grantable then ' with grant option' else '' end as line
  from granted
  union all
  select format('grant %s (%s) on table %s to %s%s', lower(a.privilege_type), string_agg(quote_ident(c.attname), ', ' order by c.attname),
    r.name, g.name, case when a.is_grantable then ' with grant option' else '' end)
  from relations r join pg_catalog.pg_attribute c on c.attrelid = r.oid and c.attacl is not null and not c.attisdropped
  cross join lateral pg_catalog.aclexplode(c.attacl) a join grantees g on g.oid = a.grantee
  where a.grantee <> r.owner
  group by r.name, g.name, a.privilege_type, a.is_grantable
  union all
  select format('grant create on database to %s', g.name)
  from pg_catalog.pg_database d cross join lateral pg_catalog.aclexplode(d.datacl) a join grantees g on g.oid = a.grantee
  where d.datname = current_database() and a.privilege_type = 'CREATE' and a.grantee <> d.datdba
  union all
  select format('%s %s is owned by %s', o.kind, o.name, coalesce(p.name, 'the operator'))
  from (
    -- Who owns public differs by version and account; a role that requests act as must not.
    select 'schema' as kind, name, owner from schemas where name <> 'public' or owner in (select oid from platform_roles)
    union all
    select 'table', name, owner from relations where kind <> 'S' and not relispartition
    union all
    select 'function', name, owner from functions where prosecdef
  ) o
  left join platform_roles p on p.oid = o.owner
  union all
  select format('alter function %s security definer%s', name,
    (select string_agg(format(' set %s', setting), '' order by setting) from unnest(proconfig) setting))
  from functions where prosecdef
  union all
  select format('alter table %s enable row level security', name) from relations where relrowsecurity and not relispartition
  union all
  select format('alter table %s force row level security', name) from relations where relforcerowsecurity and not relispartition
  union all
  select format('alter view %s set (%s)', name, array_to_string(reloptions, ', '))
  from relations where kind = 'v' and reloptions is not null
  union all
  -- Where service_role could not be given bypassrls, policies of its own carry it past the others.
  select format('create policy %I on %s as %s for %s to %s%s%s', p.polname, r.name,
    case when p.polpermissive then 'permissive' else 'restrictive' end,
    case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    (select string_agg(case role when 0 then 'public' else role::regrole::text end, ', ' order by role::regrole::text)
      from unnest(p.polroles) role),
    ' using (' || pg_catalog.pg_get_expr(p.polqual, p.polrelid) || ')',
    ' with check (' || pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) || ')')
  from pg_catalog.pg_policy p join relations r on r.oid = p.polrelid
  where p.polroles <> (select array[oid] from platform_roles where name = 'service_role')
  union all
  select format('alter table %s %s trigger %I', r.name,
    case t.tgenabled when 'O' then 'enable' when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end, t.tgname)
  from pg_catalog.pg_trigger t join relations r on r.oid = t.tgrelid
  where not t.tgisinternal and not r.relispartition
  union all
  select format('alter table %s disable trigger all', r.name)
  from pg_catalog.pg_trigger t join relations r on r.oid = t.tgrelid
  where t.tgisinternal and t.tgenabled <> 'O'
  union all
  select format('alter default privileges for role %s%s grant %s on %s to %s', d.defaclrole::regrole,
    ' in schema ' || s.name, lower(a.privilege_type),
    case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'n' then 'schemas' else 'types' end,
    g.name)
  from pg_catalog.pg_default_acl d left join schemas s on s.oid = d.defaclnamespace
  cross join lateral pg_catalog.aclexplode(d.defaclacl) a join grantees g on g.oid = a.grantee
  where (s.oid is not null or d.defaclnamespace = 0)
    -- Built in: everybody may call functions and use types, unless a grant says otherwise.
    and not (d.defaclnamespace = 0 and a.grantee = 0 and d.defaclobjtype in ('f', 'T'))
  union all
  select format('grant %I to %I', granted.rolname, member.name)
  from pg_catalog.pg_auth_members m
  join pg_catalog.pg_roles granted on granted.oid = m.roleid
  join platform_roles member on member.oid = m.member
  union all
  select format('alter role %I %s', r.name, attribute)
  from platform_roles r
  cross join lateral (values
    ('superuser', r.rolsuper), ('createrole', r.rolcreaterole), ('replication', r.rolreplication),
    ('bypassrls', r.rolbypassrls and r.name <> 'service_role')
  ) as attributes(attribute, is_set)
  where is_set
`;
