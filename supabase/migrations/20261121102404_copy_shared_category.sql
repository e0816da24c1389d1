-- 'Copiar para minha biblioteca': a category of the caller's own with copies of the links that they may see. All of it or nothing;
-- the caller's limits hold as for any category and link.
create function public.copy_shared_category(category_id uuid, folder_id uuid) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  access text := private.category_access($1);
  copy uuid;
  total integer;
begin
  if access = 'limited' then
    raise exception using
      errcode = 'P0001',
      message = 'Limite de categorias compartilhadas atingido',
      hint = 'plan_limit_shares';
  elsif caller is null or access is null or access = 'denied' then
    -- Restricted to others and missing answer alike.
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  elsif not exists (select from public.folders f where f.id = $2 and f.user_id = caller) then
    raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
  end if;
  select n.link_count into total from public.category_counts n where n.category_id = $1;
  if total > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 links por vez';
  end if;

  insert into public.categories (name, description, folder_id, user_id)
  select c.name, c.description, $2, caller from public.categories c where c.id = $1
  returning id into copy;
  if copy is null then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  -- Oldest first: dates are new, the order is the same.
  insert into public.links (url, title, description, category_id, user_id)
  select l.url, l.title, l.description, copy, caller
  from public.links l where l.category_id = $1
  order by l.created_at, l.id
  limit 20000;
  return copy;
exception when foreign_key_violation then
  -- The folder went meanwhile.
  raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
end
$$;
revoke all on function public.copy_shared_category(uuid, uuid) from public, anon, authenticated, service_role;
grant execute on function public.copy_shared_category(uuid, uuid) to authenticated;
