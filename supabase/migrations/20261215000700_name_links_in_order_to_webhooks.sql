-- Webhooks were told of the links of one statement in the order of who had added them: that column was taken for their place.

do $$
declare
  before constant text := 'created_at, updated_at, place)';
  definition text := pg_catalog.pg_get_functiondef('private.webhook_links(public.links[])'::regprocedure);
begin
  if position(before in definition) = 0 then
    raise exception 'private.webhook_links is not as expected';
  end if;
  execute replace(definition, before, 'created_at, updated_at, added_by, added_by_name, place)');
end
$$;
