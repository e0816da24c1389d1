-- Since there is one request a person, category and owner, none meets another: what is open is answered or forgotten before, and to an owner
-- who has refused none goes.

do $$
declare
  unused constant text := '  on conflict on constraint access_requests_once do update set asked_at = now()
';
  definition text := pg_catalog.pg_get_functiondef('public.request_access(uuid, text)'::regprocedure);
begin
  if position(unused in definition) = 0 then
    raise exception 'public.request_access is not as expected';
  end if;
  execute replace(definition, unused, '');
end
$$;
