-- Who renamed themselves waited for a look-up of all their categories for each of them: a thousand shared ones took a minute.

do $$
declare
  before constant text := 'or changed.id = any (private.shared_category_ids(array(select id from added)))';
  definition text := pg_catalog.pg_get_functiondef('private.tell_viewers_of_categories()'::regprocedure);
begin
  if position(before in definition) = 0 then
    raise exception 'private.tell_viewers_of_categories() is not as expected';
  end if;
  execute replace(definition, before, 'or changed.id in (select unnest(private.shared_category_ids(array(select id from added))))');
end
$$;
