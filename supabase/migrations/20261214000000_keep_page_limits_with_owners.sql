-- The password and the end of a public page are kept by the page's id alone, also while it lies in the bin. A stranger who made a
-- category of that id in the meantime set a password of their own, and the owner's page came back with it.

update private.public_pages p set user_id = c.user_id
from public.categories c where c.id = p.category_id and c.user_id <> p.user_id;
update private.public_pages p set user_id = d.user_id
from private.deleted_rows r join private.deletions d on d.id = r.deletion_id
where r.kind = 'category' and r.id = p.category_id
  and not exists (select from public.categories c where c.id = p.category_id)
  and not exists (
    select from private.deleted_rows o join private.deletions e on e.id = o.deletion_id
    where o.kind = 'category' and o.id = p.category_id and e.user_id = p.user_id
  );

-- After the rows are there: whoever deletes the category meanwhile has been waited for, and what exists anyway is not asked about.
create function private.respect_public_page() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- What its owner can no longer have back holds no id.
  delete from private.public_pages p using added a
  where p.category_id = a.id and p.user_id <> a.user_id and not exists (
    select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id and r.kind = 'category' and r.id = p.category_id
    where d.user_id = p.user_id
  );
  if exists (select from added a join private.public_pages p on p.category_id = a.id where p.user_id <> a.user_id) then
    raise exception using
      errcode = 'unique_violation',
      message = 'duplicate key value violates unique constraint "categories_pkey"',
      constraint = 'categories_pkey',
      table = 'categories',
      schema = 'public';
  end if;
  return null;
end
$$;
revoke execute on function private.respect_public_page() from public;
create trigger categories_respect_page after insert on public.categories
  referencing new table as added for each statement execute function private.respect_public_page();

do $$
declare
  patch record;
  definition text;
begin
  for patch in
    select * from (values
      (
        'private.hand_over(uuid, uuid, uuid)'::regprocedure,
        '  perform private.hand_over_bin($1, category_ids, giver, taker);',
        $new$  update private.public_pages p set user_id = taker
  where p.category_id = any (category_ids) or p.user_id = giver and p.category_id in (
    select r.id from private.deleted_rows r join private.deletions d on d.id = r.deletion_id
    where d.user_id = giver and r.kind = 'category' and r.parent_id = $1
  );
  perform private.hand_over_bin($1, category_ids, giver, taker);$new$
      ),
      (
        'private.restore_categories(uuid, bigint[], uuid[], uuid)'::regprocedure,
        '  from public.categories k where k.id = any (ids) and k.user_id <> caller;',
        $new$  from (
    select c.id from public.categories c where c.id = any (ids) and c.user_id <> caller
    union
    select p.category_id from private.public_pages p where p.category_id = any (ids) and p.user_id <> caller
  ) as k;$new$
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
