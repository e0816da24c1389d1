-- Whoever has left a category is found by the address of their account. When that became another one that the category was also shared
-- with, nothing that puts the list back worked: the bin, a folder that changes hands, an account that returns from its rest.

-- Who takes an address that is on the list is invited by it.
delete from private.left_shares l using auth.users u
where u.id = l.user_id and u.email_confirmed_at is not null and exists (
  select from public.shared_with s where s.category_id = l.category_id and s.email = lower(u.email)
);

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      (
        'private.follow_confirmed_address()'::regprocedure,
        '    where m.email = lower(new.email) and m.member_id is null and m.owner_id <> new.id;',
        $new$    where m.email = lower(new.email) and m.member_id is null and m.owner_id <> new.id;
    delete from private.left_shares l where l.user_id = new.id and exists (
      select from public.shared_with s where s.category_id = l.category_id and s.email = lower(new.email)
    );$new$
      ),
      (
        'private.respect_leaving()'::regprocedure,
        '  ) then
    raise exception using',
        $new$  ) then
    -- What is given back comes without them.
    if exists (
      select from private.restorations r join public.categories c on c.user_id = r.user_id where c.id = new.category_id
    ) then
      return null;
    end if;
    raise exception using$new$
      ),
      (
        'public.suspend_inactive_accounts(integer, timestamptz)'::regprocedure,
        '  insert into private.shares_at_rest (user_id, category_id, email, created_at)',
        $new$  -- One row of an earlier rest would keep all of them from being suspended.
  delete from private.shares_at_rest r where r.user_id = any (doomed);
  insert into private.shares_at_rest (user_id, category_id, email, created_at)$new$
      )
    ) as patches(function, before, after)
  loop
    definition := pg_catalog.pg_get_functiondef(patch.function);
    if position(patch.before in definition) = 0 then
      raise exception '% is not as expected', patch.function;
    end if;
    execute replace(definition, patch.before, patch.after);
  end loop;
end
$$;
