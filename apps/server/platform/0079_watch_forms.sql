-- The forms of answers are part of the schema, too: aggregates that make a media type of rows, casts that say how a domain is written.

create or replace function linkoteca_platform.tell_schema_drop() returns event_trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if exists (
    select from pg_catalog.pg_event_trigger_dropped_objects() d
    where not d.is_temporary
      and d.object_type in (
        'schema', 'table', 'table column', 'table constraint', 'foreign table', 'view', 'materialized view', 'function', 'type', 'domain',
        'aggregate', 'cast'
      )
  ) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

do $$
begin
  create event trigger linkoteca_forms_change on ddl_command_end
    when tag in ('CREATE AGGREGATE', 'ALTER AGGREGATE', 'CREATE CAST')
    execute function linkoteca_platform.tell_schema_change();
exception when insufficient_privilege then
  null;
end
$$;
