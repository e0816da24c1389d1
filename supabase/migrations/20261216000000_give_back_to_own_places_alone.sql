-- Whoever may write in somebody's folder could have things of their own given back into it from their bin: public, with guests, as its owner's.

do $$
declare
  own constant text := 'owner is null or';
  foreign_place constant text := 'if owner <> caller and';
  category text := pg_catalog.pg_get_functiondef('private.add_category_as_member()'::regprocedure);
  link text := pg_catalog.pg_get_functiondef('private.add_link_as_member()'::regprocedure);
begin
  if position(own in category) = 0 or position(foreign_place in link) = 0 then
    raise exception 'private.add_category_as_member or private.add_link_as_member is not as expected';
  end if;
  execute replace(category, own, $new$owner is null
      -- The foreign key refuses it: what is given back is its owner's, and so is its place.
      or exists (select from private.restorations r where r.user_id = caller)
      or$new$);
  execute replace(link, foreign_place, $new$if owner <> caller and not exists (select from private.restorations r where r.user_id = caller)
      and$new$);
end
$$;
