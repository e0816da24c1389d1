-- A cover that its owner had removed was fetched and shown again on a link that came back from the bin after more than a day.

do $$
declare
  sweep constant text := '    update private.link_covers c set leftover_since = null
    from gone g where c.link_id = g.link_id and c.state in (''none'', ''removed'')
      and exists (select from public.links l where l.id = c.link_id)
    returning c.link_id
  )
  delete from private.link_covers c using gone g
  where c.link_id = g.link_id and not (
    c.state in (''none'', ''removed'') and exists (select from public.links l where l.id = c.link_id)
  );';
  definition text := pg_catalog.pg_get_functiondef('public.list_leftover_covers(integer)'::regprocedure);
begin
  if position(sweep in definition) = 0 then
    raise exception 'public.list_leftover_covers is not as expected';
  end if;
  execute replace(definition, sweep, $new$    -- Of a link in the bin it is asked again a day later.
    update private.link_covers c set leftover_since = case when l.id is null then now() end
    from gone g left join public.links l on l.id = g.link_id
    where c.link_id = g.link_id and (
      l.id is not null and c.state in ('none', 'removed')
      or c.state = 'removed' and exists (
        select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
        where d.user_id = c.user_id and r.kind = 'link' and r.id = c.link_id
      )
    )
    returning c.link_id
  )
  delete from private.link_covers c using gone g
  where c.link_id = g.link_id and not exists (select from kept k where k.link_id = c.link_id);$new$);
end
$$;
