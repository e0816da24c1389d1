-- Whoever had left a category could be invited again without being asked once it came back from the bin under a new id.

do $$
declare
  follow constant text := '  perform private.follow_new_ids(batches, array[''favorite'', ''order''], new_ids, ''category_id'');
';
  definition text := pg_catalog.pg_get_functiondef('private.restore_categories(uuid, bigint[], uuid[], uuid)'::regprocedure);
begin
  if position(follow in definition) = 0 then
    raise exception 'private.restore_categories is not as expected';
  end if;
  execute replace(definition, follow, follow || $new$  -- Whoever left after it was deleted left what stands under its id now.
  update private.left_shares l set category_id = (new_ids ->> l.category_id::text)::uuid
  from unnest(batches, ids) as wanted(batch, id) join private.deletions d on d.id = wanted.batch
  where new_ids ? wanted.id::text and l.category_id = wanted.id and l.left_at <= d.deleted_at;
$new$);
end
$$;
