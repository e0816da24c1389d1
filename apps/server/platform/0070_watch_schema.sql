-- Every copy of the server learns at once of tables, views and functions that come, change or go. Only a superuser may make event
-- triggers: where none is made, and no hosted platform has its own, the server looks by itself (schema-cache/listen-for-reload.ts).

create function linkoteca_platform.tell_schema_change() returns event_trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (
    select from pg_catalog.pg_event_trigger_ddl_commands() c where c.schema_name is distinct from 'pg_temp'
  ) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

create function linkoteca_platform.tell_schema_drop() returns event_trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (
    select from pg_catalog.pg_event_trigger_dropped_objects() d
    where not d.is_temporary
      and d.object_type in (
        'schema', 'table', 'table column', 'table constraint', 'foreign table', 'view', 'materialized view', 'function', 'type', 'domain'
      )
  ) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

revoke all on function linkoteca_platform.tell_schema_change(), linkoteca_platform.tell_schema_drop() from public;

do $$
begin
  create event trigger linkoteca_schema_change on ddl_command_end
    when tag in (
      'CREATE SCHEMA', 'ALTER SCHEMA', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE', 'CREATE FOREIGN TABLE',
      'ALTER FOREIGN TABLE', 'CREATE VIEW', 'ALTER VIEW', 'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION',
      'ALTER FUNCTION', 'CREATE TYPE', 'ALTER TYPE', 'CREATE DOMAIN', 'ALTER DOMAIN', 'CREATE INDEX', 'COMMENT'
    )
    execute function linkoteca_platform.tell_schema_change();
  create event trigger linkoteca_schema_drop on sql_drop execute function linkoteca_platform.tell_schema_drop();
exception when insufficient_privilege then
  null;
end
$$;
