-- Undoing a merge of tags left the links in the bin with the tag that they had been merged into.

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      ('public.merge_tags(uuid[], uuid)',
        '  update private.deleted_rows r
',
        $new$  insert into private.tag_change_links (change_id, tag_id, got_it, link_ids)
  select change, n.tag_id, n.got_it, array_agg(n.id)
  from (
    select k.*, row_number() over (partition by k.tag_id) / 5000 as part
    from (
      select distinct r.id, m.tag_id, m.got_it
      from private.deletions d
      join private.deleted_rows r on r.deletion_id = d.id and r.kind = 'tags' and r.content -> 'tag_ids' ?| sources::text[]
      cross join lateral (
        select s.id, false from unnest(sources) as s(id) where r.content -> 'tag_ids' ? s.id::text
        union all
        select target_id, true where not r.content -> 'tag_ids' ? target_id::text
      ) as m(tag_id, got_it)
      -- A link that was made anew under the id of one in the bin did not have its tags.
      where d.user_id = caller and not exists (select from public.links l where l.id = r.id)
    ) as k
  ) as n group by n.tag_id, n.got_it, n.part;
$new$),
      ('public.undo_tag_change(bigint)',
        '  delete from private.tag_change_links c where c.id = any (parts);
',
        $new$  update private.deleted_rows r
  set content = jsonb_build_object('tag_ids', (r.content -> 'tag_ids') - k.got - k.lost || to_jsonb(k.lost))
  from private.deletions d, (
    select u.id,
      coalesce(array_agg(t.id::text) filter (where c.got_it), '{}') as got,
      coalesce(array_agg(distinct t.id::text) filter (where not c.got_it), '{}') as lost
    from private.tag_change_links c
    left join jsonb_populate_recordset(null::public.tags, change.gone) as g on g.id = c.tag_id
    join public.tags t on t.user_id = owner and (t.id = c.tag_id or t.folded = g.folded)
    cross join lateral unnest(c.link_ids) as u(id)
    where c.id = any (parts)
    group by u.id
  ) as k
  where owner = caller and d.user_id = owner and r.deletion_id = d.id and r.kind = 'tags' and r.id = k.id;
$new$)
    ) as p(name, before, added)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.name::regprocedure);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected', patch.name;
    end if;
    execute replace(definition, patch.before, patch.added || patch.before);
  end loop;
end
$$;
