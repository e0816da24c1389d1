-- Whoever shares 'Minha biblioteca' got another numbered folder each time the inbox was made anew.

do $$
declare
  named constant text := 'and f.name = ''Minha biblioteca''
';
  last constant text := 'from private.folder_groups s where s.folder_id = f.id);
';
  definition text := pg_catalog.pg_get_functiondef('private.open_inbox_of(uuid)'::regprocedure);
begin
  if position(named in definition) = 0 or position(last in definition) = 0 then
    raise exception 'private.open_inbox_of is not as expected';
  end if;
  definition := replace(definition, named, $new$and f.name ~ '^Minha biblioteca( \([0-9]+\))?$'
$new$);
  execute replace(definition, last, $new$from private.folder_groups s where s.folder_id = f.id)
  order by f.name = 'Minha biblioteca' desc, f.created_at, f.id limit 1;
$new$);
end
$$;
