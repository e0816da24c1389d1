-- A link that came back from the bin of a folder that had changed hands was its new owner's own, whoever had added it.

do $$
declare
  moved constant text := 'case when r.kind in (''link'', ''category'', ''order'') then';
  definition text := pg_catalog.pg_get_functiondef('private.hand_over_bin(uuid, uuid[], uuid, uuid)'::regprocedure);
begin
  if position(moved in definition) = 0 then
    raise exception 'private.hand_over_bin is not as expected';
  end if;
  execute replace(definition, moved, $new$case
        -- As private.hand_over does it.
        when r.kind = 'link' then r.content || jsonb_build_object(
          'user_id', taker,
          'added_by', nullif(coalesce((r.content ->> 'added_by')::uuid, giver), taker),
          'added_by_name', case
            when r.content ->> 'added_by' = taker::text then null
            when r.content ->> 'added_by' is null and r.content ->> 'added_by_name' is null
              then (select p.name from public.profiles p where p.id = giver)
            else r.content ->> 'added_by_name'
          end
        )
        when r.kind in ('category', 'order') then$new$);
end
$$;
