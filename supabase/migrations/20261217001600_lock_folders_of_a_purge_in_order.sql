-- An owner who has a deleted account back locks their folders in the order of their ids; a batch of purges took names out of the same folders
-- in any order, and kept each until its end: the two could wait for each other.

do $$
declare
  patch record;
  definition text := pg_catalog.pg_get_functiondef('public.begin_account_purges(integer,timestamp with time zone)'::regprocedure);
begin
  for patch in
    select * from (values
      ('  begun uuid[];
', '  begun uuid[];
  held uuid[];
'),
      ('  for closure in
    select c.user_id, c.id, c.purge_started_at
    from private.account_closures c join auth.users u on u.id = c.user_id
    where c.reason = ''deletion'' and c.reopened_at is null and c.purge_after <= at
    order by c.purge_started_at nulls first, c.purge_after
    limit least(greatest(coalesce(max, 20), 0), 100)
    for update of u, c skip locked
  loop
', '  held := array(
    select c.user_id
    from private.account_closures c join auth.users u on u.id = c.user_id
    where c.reason = ''deletion'' and c.reopened_at is null and c.purge_after <= at
    order by c.purge_started_at nulls first, c.purge_after
    limit least(greatest(coalesce(max, 20), 0), 100)
    for update of u, c skip locked
  );
  -- In the order in which an owner who comes back locks them, for all of the batch at once.
  perform from public.folders f
  where f.shared_with && array(select lower(u.email) from auth.users u where u.id = any (held) and u.email is not null)
  order by f.id for no key update;
  for closure in
    select c.user_id, c.id, c.purge_started_at
    from unnest(held) with ordinality as h(id, place) join private.account_closures c on c.user_id = h.id
    order by h.place
  loop
')
    ) as p(before, after)
  loop
    if position(patch.before in definition) = 0 then
      raise exception 'public.begin_account_purges is not as expected';
    end if;
    definition := replace(definition, patch.before, patch.after);
  end loop;
  execute definition;
end
$$;
