-- What is undone of programs' acts and of tags comes back as far as it can: a link put in another's place makes room for it where the
-- plan is full; one link that is full of tags by now holds up no other; and a tag that somebody made anew meanwhile is the one that was.
do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      ('public.undo_program_act(bigint)',
        '  fates := array(select f from private.weigh_program_act(act.id, act.owner_id, writable) as f);
',
        $after$  fates := array(select f from private.weigh_program_act(act.id, act.owner_id, writable) as f);
  -- What was saved goes in exchange: until then both are there.
  update private.restorations r
  set link_count = greatest(r.link_count, least(l.max_links, private.most('links')))
    + (select count(*) from unnest(fates) as f where f.fate = 'saved')
  from public.profiles p join private.plan_limits l on l.plan = p.plan
  where r.user_id = act.owner_id and p.id = act.owner_id;
$after$),
      ('public.undo_tag_change(bigint)',
        '  select distinct l.id, n.tag_id, owner, l.created_at
  from (
    select t.id as tag_id, u.id
    from private.tag_change_links c
    left join jsonb_populate_recordset(null::public.tags, change.gone) as g on g.id = c.tag_id
    join public.tags t on t.user_id = owner and (t.id = c.tag_id or t.folded = g.folded)
    cross join lateral unnest(c.link_ids) as u(id)
    where c.id = any (parts) and not c.got_it
    offset 0
  ) as n
  join public.links l on l.id = n.id and l.user_id = owner
  where owner = caller or l.id = any (touched)
',
        $after$  select w.id, w.tag_id, owner, w.created_at
  from (
    select l.id, n.tag_id, l.created_at, row_number() over (partition by l.id order by n.tag_id) as place
    from (
      select distinct t.id as tag_id, u.id
      from private.tag_change_links c
      left join jsonb_populate_recordset(null::public.tags, change.gone) as g on g.id = c.tag_id
      join public.tags t on t.user_id = owner and (t.id = c.tag_id or t.folded = g.folded)
      cross join lateral unnest(c.link_ids) as u(id)
      where c.id = any (parts) and not c.got_it
      offset 0
    ) as n
    join public.links l on l.id = n.id and l.user_id = owner
    where (owner = caller or l.id = any (touched))
      and not exists (select from public.link_tags h where h.link_id = l.id and h.tag_id = n.tag_id)
  ) as w
  where w.place + (select count(*) from public.link_tags h where h.link_id = w.id) <= private.most_tags('link')
$after$),
      ('private.undo_tagging(private.program_acts, private.act_fate[])',
        '      join public.tags t on t.id = x.id and t.user_id = act.owner_id
',
        $after$      left join (
        select d.row_id as gone_id, e.id as heir_id
        from unnest(fates) as d join public.tags e on e.user_id = act.owner_id and e.folded = d.was ->> 'folded'
        where d.fate = 'tag'
      ) as h on h.gone_id = x.id
      join public.tags t on t.id = coalesce(h.heir_id, x.id) and t.user_id = act.owner_id
$after$),
      ('private.undo_tagging(private.program_acts, private.act_fate[])',
        '      where f.row_id = any (touched)
    );',
        $after$      where f.row_id = any (touched)
      union
      select e.id from unnest(fates) as d join public.tags e on e.user_id = act.owner_id and e.folded = d.was ->> 'folded'
      where d.fate = 'tag'
    );$after$)
    ) as t(name, before, after)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.name::regprocedure);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected: %', patch.name, patch.before;
    end if;
    execute replace(definition, patch.before, patch.after);
  end loop;
end
$$;
