-- Tags that were there before and were given by an import, by a copy or by a folder that changed hands did not say when: other screens of
-- their person kept showing lists and searches without these links.

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      (
        'private.import_tags(uuid, jsonb, uuid[])',
        '  where k.place <= private.most_tags(''link'');
',
        '  where k.place <= private.most_tags(''link'');
  update public.tags t set tagged_at = clock_timestamp()
  where t.id in (select k.tag_id from public.link_tags k where k.link_id = any (link_ids));
'
      ),
      (
        'public.copy_shared_category(uuid, uuid)',
        'own.id = any (tags.ids);
',
        'own.id = any (tags.ids);
  update public.tags t set tagged_at = clock_timestamp() where t.id = any (tags.ids);
'
      ),
      (
        'private.hand_over(uuid, uuid, uuid)',
        '  join public.tags o on o.user_id = taker and o.folded = t.folded;

',
        '  join public.tags o on o.user_id = taker and o.folded = t.folded;
  update public.tags t set tagged_at = clock_timestamp()
  where t.id in (select k.tag_id from public.link_tags k where k.link_id = any (link_ids));

'
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
