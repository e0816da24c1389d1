-- A folder that somebody else had deleted kept the address of a purged account, and came back with it.

create index deleted_rows_of_folder_emails on private.deleted_rows using gin ((content -> 'shared_with'))
  where kind = 'folder' and content -> 'shared_with' <> '[]';

do $$
declare
  definition text := pg_catalog.pg_get_functiondef('private.forget_person(uuid)'::regprocedure);
  place constant text := '  update public.links l set added_by = null, added_by_name = null where l.added_by = $1;
';
begin
  if position(place in definition) = 0 then
    raise exception 'private.forget_person is not as expected';
  end if;
  execute replace(definition, place, $new$  update private.deleted_rows r set content = r.content || jsonb_build_object('shared_with', (r.content -> 'shared_with') - address)
  where r.kind = 'folder' and r.content -> 'shared_with' <> '[]' and r.content -> 'shared_with' ? address;
$new$ || place);
end
$$;
