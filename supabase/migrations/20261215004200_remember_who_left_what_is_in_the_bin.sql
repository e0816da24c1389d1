-- Whoever had left a category that lay in the bin could be invited again without being asked, once they left another a day later.

create index deleted_rows_categories on private.deleted_rows (id) where kind = 'category';

do $$
declare
  forget constant text := 'and not exists (select from public.categories c where c.id = l.category_id);';
  definition text := pg_catalog.pg_get_functiondef('public.leave_share(uuid)'::regprocedure);
begin
  if position(forget in definition) = 0 then
    raise exception 'public.leave_share is not as expected';
  end if;
  execute replace(definition, forget, $new$and not exists (select from public.categories c where c.id = l.category_id)
    and not exists (select from private.deleted_rows r where r.kind = 'category' and r.id = l.category_id);$new$);
end
$$;
