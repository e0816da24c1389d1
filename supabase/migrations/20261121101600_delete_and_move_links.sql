-- Bulk delete and bulk move: one call, one transaction, all or nothing. They run with the caller's own rights, so the policies
-- decide, and the ids of others' links count for nothing. The ids travel in the body: twenty thousand fit no address.

create function public.delete_links(link_ids uuid[]) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  gone integer;
begin
  if coalesce(cardinality(link_ids), 0) = 0 then
    raise exception using errcode = 'PT400', message = 'Nenhum link para excluir';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  delete from public.links where id = any (link_ids);
  get diagnostics gone = row_count;
  return gone;
end
$$;

-- Links that are in the category already stay untouched and are not counted.
create function public.move_links(link_ids uuid[], target_category_id uuid) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  moved integer;
begin
  if coalesce(cardinality(link_ids), 0) = 0 then
    raise exception using errcode = 'PT400', message = 'Nenhum link para mover';
  elsif cardinality(link_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;
  -- Somebody else's category answers like one that does not exist.
  if not exists (select from public.categories where id = target_category_id and user_id = auth.uid()) then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  update public.links set category_id = target_category_id
  where id = any (link_ids) and category_id <> target_category_id;
  get diagnostics moved = row_count;
  return moved;
exception when foreign_key_violation then
  -- The category went while the links were on their way.
  raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
end
$$;

revoke all on function public.delete_links(uuid[]), public.move_links(uuid[], uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.delete_links(uuid[]), public.move_links(uuid[], uuid) to authenticated;
