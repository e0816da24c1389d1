-- A cover that its owner had removed was fetched and shown again on a link that came back from the bin under a new id.

do $$
declare
  follow constant text := '  perform private.follow_new_ids(batches, array[''tags'', ''favorite'', ''order''], link_ids, ''link_id'');
';
  definition text := pg_catalog.pg_get_functiondef('private.restore_links(uuid, bigint[], uuid[], uuid, jsonb)'::regprocedure);
begin
  if position(follow in definition) = 0 then
    raise exception 'private.restore_links is not as expected';
  end if;
  execute replace(definition, follow, follow || $new$  insert into private.link_covers (link_id, user_id, state, tried_at)
  select n.value::uuid, c.user_id, c.state, c.tried_at
  from jsonb_each_text(link_ids) as n join private.link_covers c on c.link_id = n.key::uuid
  where c.user_id = caller and c.state = 'removed';
$new$);
end
$$;
