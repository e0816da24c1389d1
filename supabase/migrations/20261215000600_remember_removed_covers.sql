-- A cover that its owner had removed was fetched and shown again after the link's deletion was undone.

do $$
declare
  before constant text := 'c.state in (''none'', ''removed'')';
  definition text := pg_catalog.pg_get_functiondef('private.leave_covers()'::regprocedure);
begin
  if position(before in definition) = 0 then
    raise exception 'private.leave_covers is not as expected';
  end if;
  execute replace(definition, before, 'c.state = ''none''');
end
$$;
