-- A folder could not be taken where its giver and its taker each had a link of the same rank.

do $$
declare
  plain constant text := '  select o.id, taker, o.category_id, o.link_id, o.rank from unnest(orders) as o;
';
  definition text := pg_catalog.pg_get_functiondef('private.hand_over(uuid, uuid, uuid)'::regprocedure);
begin
  if position(plain in definition) = 0 then
    raise exception 'private.hand_over is not as expected';
  end if;
  execute replace(definition, plain, $new$  select o.id, taker, o.category_id, o.link_id, case
    -- Just above the rank that the new owner has given already, where such a one is short enough to be a rank.
    when char_length(o.rank) <= 200 and exists (select from public.manual_order k where k.user_id = taker and k.rank = o.rank)
      then o.rank || repeat('0', 16) || replace(o.link_id::text, '-', '') || '8'
    else o.rank
  end
  from unnest(orders) as o
  on conflict do nothing;
$new$);
end
$$;
