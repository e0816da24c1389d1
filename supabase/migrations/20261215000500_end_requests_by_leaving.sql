-- A request for access that its owner had answered by sharing the category came alive again when its asker left, and would have invited
-- them anew.

do $$
declare
  before constant text := '    raise exception using errcode = ''PT404'', message = ''Categoria não encontrada'';
  end if;
';
  definition text := pg_catalog.pg_get_functiondef('public.leave_share(uuid)'::regprocedure);
begin
  if position(before in definition) = 0 then
    raise exception 'public.leave_share is not as expected';
  end if;
  execute replace(definition, before, before || $new$  delete from private.access_requests r
  where r.asker_id = private.caller_id() and r.category_id = $1 and r.refused_at is null;
$new$);
end
$$;
