-- Undoing that a link's only tag was taken off gave nothing to a link in the bin: it lies there without a row of tags.

do $$
declare
  definition text := pg_catalog.pg_get_functiondef('public.undo_tag_change(bigint)'::regprocedure);
  before constant text := '  update private.deleted_rows r
  set content = jsonb_build_object(''tag_ids'', (r.content -> ''tag_ids'') - k.got - k.lost || to_jsonb(k.lost))
';
begin
  if position(before in definition) = 0 then
    raise exception 'public.undo_tag_change is not as expected';
  end if;
  execute replace(definition, before, $new$  -- A link that went without any tag has no row of them there. At most one a link: the bin is not counted anew.
  insert into private.deleted_rows (deletion_id, kind, id, content)
  select i.deletion_id, 'tags', i.id, '{"tag_ids": []}'
  from private.deletions d join private.deleted_rows i on i.deletion_id = d.id and i.kind = 'link'
  where owner = caller and d.user_id = owner
    and i.id in (
      select u.id from private.tag_change_links c cross join lateral unnest(c.link_ids) as u(id)
      where c.id = any (parts) and not c.got_it
    )
    and not exists (select from private.deleted_rows r where r.deletion_id = d.id and r.kind = 'tags' and r.id = i.id)
  -- Whoever ends a deletion takes its rows with it.
  for key share of d;
$new$ || before);
end
$$;
