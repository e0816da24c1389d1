-- What a view takes is part of the schema, too: its triggers and rules decide it.

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
        'aggregate', 'cast', 'trigger', 'rule'
      )
  ) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

do $$
begin
  create event trigger linkoteca_rules_change on ddl_command_end
    when tag in ('CREATE TRIGGER', 'CREATE RULE')
    execute function linkoteca_platform.tell_schema_change();
exception when insufficient_privilege then
  null;
end
$$;
