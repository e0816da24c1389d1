-- A new inbox went into the folder named 'Minha biblioteca' also where others share that: they read what was captured.

do $$
declare
  before constant text := '  select f.id into folder from public.folders f where f.user_id = person and f.name = ''Minha biblioteca'';';
  definition text := pg_catalog.pg_get_functiondef('private.open_inbox_of(uuid)'::regprocedure);
begin
  if position(before in definition) = 0 then
    raise exception 'private.open_inbox_of is not as expected';
  end if;
  execute replace(definition, before, $new$  select f.id into folder
  from public.folders f
  where f.user_id = person and f.name = 'Minha biblioteca'
    and not exists (select from public.folder_members m where m.folder_id = f.id)
    and not exists (select from private.folder_groups s where s.folder_id = f.id);
  if not found then
    insert into public.folders (name, user_id) values (private.free_folder_name(person, 'Minha biblioteca'), person) returning id into folder;
  end if;$new$);
end
$$;
