-- The roles a hosted Supabase brings along, and the payment emulator's. Roles belong to the cluster and not to the database, so
-- each is created only where it is missing, and a second database that is being prepared at the same moment is not an error.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin inherit'),
      ('authenticated', 'nologin inherit'),
      ('service_role', 'nologin inherit bypassrls'),
      ('supabase_auth_admin', 'nologin noinherit'),
      ('supabase_realtime_admin', 'nologin noinherit'),
      ('supabase_storage_admin', 'nologin noinherit'),
      ('payment_emulator', 'nologin noinherit'),
      ('authenticator', 'login noinherit')
    ) as roles(name, attributes)
  loop
    if exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      continue;
    end if;
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
    exception
      when duplicate_object or unique_violation then
        null;
      when insufficient_privilege then
        -- Only a superuser (from 16 on: a role that has it) may hand out bypassrls. Where the server's own account is
        -- humbler, the product's policies for service_role carry it past row-level security instead.
        execute format('create role %I %s', wanted.name, replace(wanted.attributes, ' bypassrls', ''));
    end;
    if wanted.name = 'authenticator' then
      execute 'alter role authenticator set statement_timeout = ''8s''';
      execute 'alter role authenticator set lock_timeout = ''8s''';
      execute 'alter role authenticator set idle_in_transaction_session_timeout = ''60s''';
    end if;
  end loop;
end
$$;

-- authenticator inherits nothing: it can only become one of these, and whoever migrates acts as them. The owners of the services'
-- tables are among them because the services share the pool; a request can never name them (the gateway accepts three roles in a
-- token).
do $$
declare
  wanted record;
begin
  for wanted in
    select granted, member
    from unnest(array[
      'anon', 'authenticated', 'service_role', 'supabase_auth_admin', 'supabase_realtime_admin', 'supabase_storage_admin',
      'payment_emulator'
    ]) as granted, unnest(array['authenticator', current_user::text]) as member
  loop
    -- A superuser is a member of everything already; a repeated grant would rewrite a row all databases share.
    if exists (select from pg_catalog.pg_roles where rolname = wanted.member and rolsuper)
      or exists (
        select
        from pg_catalog.pg_auth_members m
        join pg_catalog.pg_roles granted on granted.oid = m.roleid
        join pg_catalog.pg_roles member on member.oid = m.member
        join pg_catalog.pg_roles grantor on grantor.oid = m.grantor
        where granted.rolname = wanted.granted and member.rolname = wanted.member
          -- From 16 on the creator of a role holds a grant of its administration alone, which does not let it act as
          -- the role; that one comes from the bootstrap superuser.
          and (wanted.member <> current_user or grantor.rolname = current_user)
      )
    then
      continue;
    end if;
    begin
      execute format('grant %I to %I', wanted.granted, wanted.member);
    exception
      when unique_violation then
        null;
    end;
  end loop;
end
$$;
