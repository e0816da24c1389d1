-- Limits and gates while a person is given back what they deleted.

-- Who is being given back their own in the running transaction, and how much they had then. A row lives inside the one call of
-- undo_deletion that wrote it: nobody else ever sees it, and no request role may write here, so none can widen a limit.
create table private.restorations (
  user_id uuid not null,
  link_count integer not null,
  category_count integer not null,
  constraint restorations_pkey primary key (user_id)
);
alter table private.restorations enable row level security;
revoke all on private.restorations from public, anon, authenticated, service_role;

-- As before, and what is given back may fill the library up to what it was just before the deletion.
create or replace function private.take_places(owner_id uuid, what text, added bigint) returns integer
  language plpgsql
  set search_path = ''
as $$
declare
  total integer;
  allowed integer;
  owner_plan text;
begin
  if what = 'links' then
    update public.library_counts n set link_count = n.link_count + added
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where n.user_id = owner_id and p.id = owner_id
    returning n.link_count, l.max_links, p.plan into total, allowed, owner_plan;
  else
    update public.library_counts n set category_count = n.category_count + added
    from public.profiles p join private.plan_limits l on l.plan = p.plan
    where n.user_id = owner_id and p.id = owner_id
    returning n.category_count, l.max_categories, p.plan into total, allowed, owner_plan;
  end if;
  if not found then
    raise exception 'user % has no counters', owner_id;
  end if;

  if total > allowed and not exists (
    select from private.restorations r
    where r.user_id = owner_id and total <= case what when 'links' then r.link_count else r.category_count end
  ) then
    raise exception using
      errcode = 'P0001',
      message = format('Limite de %s %s atingido', allowed, case what when 'links' then 'links' else 'categorias' end),
      detail = json_build_object('max', allowed, 'plan', owner_plan)::text,
      hint = format('plan_limit_%s', what);
  end if;
  return total;
end
$$;

-- As before, and what was shared when it was deleted comes back shared, as it would have stayed.
create or replace function private.require_sharing_plan(owner_id uuid) returns void
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  owner_plan text;
begin
  select p.plan into owner_plan
  from public.profiles p join private.plan_limits l on l.plan = p.plan
  where p.id = owner_id and not l.can_share;
  if found and not exists (select from private.restorations r where r.user_id = owner_id) then
    raise exception using
      errcode = 'P0001',
      message = 'Recurso indisponível',
      detail = json_build_object('plan', owner_plan)::text,
      hint = 'plan_sharing';
  end if;
end
$$;
