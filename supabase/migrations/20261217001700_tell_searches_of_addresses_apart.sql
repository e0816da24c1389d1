-- A look that is on record covers the same look for ten seconds. Since no whole address is recorded, a search for another address of one
-- domain and first letter passed as the one before it.

do $$
declare
  definition text := pg_catalog.pg_get_functiondef('public.admin_list_users(text,text,integer,integer,text)'::regprocedure);
  place constant text := ', ''plan'', left(wanted, 20)';
begin
  if position(place in definition) = 0 then
    raise exception 'public.admin_list_users is not as expected';
  end if;
  -- Two digits tell others apart and give no address away.
  execute replace(definition, place, $new$,
    'search_check', case when term like '%@%' then left(md5(term), 2) end$new$ || place);
end
$$;
