-- What came back under a new id, as somebody had taken its own meanwhile, came without its tags, its star and its place.

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      (
        'private.restore_categories(uuid, bigint[], uuid[], uuid)',
        '  ) as k;
',
        $new$  ) as k;
  perform private.follow_new_ids(batches, array['favorite', 'order'], new_ids, 'category_id');
$new$
      ),
      (
        'private.restore_links(uuid, bigint[], uuid[], uuid, jsonb)',
        '  restored_ids uuid[];
begin
',
        $new$  restored_ids uuid[];
  link_ids jsonb;
begin
  select coalesce(jsonb_object_agg(l.id, gen_random_uuid()), '{}') into link_ids from public.links l where l.id = any (ids);
  perform private.follow_new_ids(batches, array['tags', 'favorite', 'order'], link_ids, 'link_id');
$new$
      ),
      (
        'private.restore_links(uuid, bigint[], uuid[], uuid, jsonb)',
        'case when exists (select from public.links k where k.id = taken.id) then gen_random_uuid() else taken.id end',
        'coalesce(link_ids ->> taken.id::text, taken.id::text)'
      )
    ) as patches(name, before, after)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.name::regprocedure);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected', patch.name;
    end if;
    execute replace(definition, patch.before, patch.after);
  end loop;
end
$$;
