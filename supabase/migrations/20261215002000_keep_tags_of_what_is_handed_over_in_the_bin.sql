-- What the new owner of a folder had back from its bin came without its tags, which were the old owner's.

do $$
declare
  make_tags constant text := '  insert into public.tags (user_id, name, color)
  select distinct on (t.folded) taker, t.name, t.color
  from jsonb_to_recordset(tagged) as t(name text, folded text, color text)
  where not exists (select from public.tags o where o.user_id = taker and o.folded = t.folded);
';
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      ('private.hand_over(uuid, uuid, uuid)', make_tags, ''),
      (
        'private.hand_over(uuid, uuid, uuid)',
        '  perform private.hand_over_bin($1, category_ids, giver, taker);
',
        make_tags || '  perform private.hand_over_bin($1, category_ids, giver, taker);
'
      ),
      (
        'private.hand_over_bin(uuid, uuid[], uuid, uuid)',
        '  total bigint;
begin',
        '  total bigint;
  made uuid[];
begin'
      ),
      (
        'private.hand_over_bin(uuid, uuid[], uuid, uuid)',
        '    update private.deleted_rows r
    set deletion_id = opened,',
        $new$    -- As far as there is room: nothing in the bin keeps anybody from taking a folder.
    made := (private.make_tags(taker, array(
      select distinct t.name
      from private.deleted_rows r
      cross join lateral jsonb_array_elements_text(r.content -> 'tag_ids') as k(id)
      join public.tags t on t.id = k.id::uuid and t.user_id = giver
      where r.deletion_id = given.id and r.kind = 'tags' and r.id = any (given.ids)
      order by t.name
    ), true)).made;
    update public.tags o set color = t.color from public.tags t
    where o.id = any (made) and t.user_id = giver and t.folded = o.folded and t.color is not null;
    update private.deleted_rows r
    set deletion_id = opened,$new$
      ),
      (
        'private.hand_over_bin(uuid, uuid[], uuid, uuid)',
        'r.content || jsonb_build_object(''user_id'', taker) else',
        $new$r.content || jsonb_build_object('user_id', taker)
        when r.kind = 'tags' then jsonb_build_object('tag_ids', (
          select coalesce(jsonb_agg(o.id), '[]')
          from jsonb_array_elements_text(r.content -> 'tag_ids') as k(id)
          join public.tags t on t.id = k.id::uuid and t.user_id = giver
          join public.tags o on o.user_id = taker and o.folded = t.folded
        ))
        else$new$
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
