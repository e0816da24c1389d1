-- In a shared folder others change a category as well: its history names them. By their account, not by a copy of the name: who closes
-- theirs goes from it.
alter table private.category_changes
  -- Null is the owner, or nobody who is signed in.
  add column person_id uuid;

create or replace function private.note_category_changes(act text, category_ids uuid[], counts bigint[], subjects text[]) returns void
  language plpgsql
  set search_path = ''
  set enable_nestloop = on
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  doer constant text := private.acting_program();
  caller constant uuid := auth.uid();
begin
  with happened as (
    select h.category_id, h.count::integer as count, h.subject, nullif(caller, c.user_id) as person_id
    from unnest($2, $3, $4) as h(category_id, count, subject)
    join public.categories c on c.id = h.category_id
  ), latest as (
    select l.id from happened h cross join lateral (
      select x.id, x.act, x.program, x.person_id, x.changed_at from private.category_changes x
      where x.category_id = h.category_id order by x.id desc limit 1
    ) as l
    where l.act = $1 and l.program is not distinct from doer and l.person_id is not distinct from h.person_id
      and l.changed_at > now() - interval '5 minutes'
  ), own as (
    -- Whoever else adds to one of them right now gets a row of their own: nobody waits for a history.
    select c.id from private.category_changes c where c.id in (select l.id from latest l) for update skip locked
  ), added as (
    update private.category_changes c set count = c.count + h.count, changed_at = now()
    from own o, happened h where c.id = o.id and h.category_id = c.category_id
    returning c.category_id
  )
  insert into private.category_changes (category_id, act, count, subject, program, person_id)
  select h.category_id, $1, h.count, left(h.subject, 100), doer, h.person_id from happened h
  where h.category_id not in (select a.category_id from added a);
end
$$;

drop function public.category_history(uuid, bigint);
create function public.category_history(category_id uuid, before bigint default null)
  returns table (id bigint, act text, count integer, subject text, program text, person text, changed_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select h.id, h.act, h.count, h.subject, h.program,
    case when h.person_id is not null then coalesce((select p.name from public.profiles p where p.id = h.person_id), '') end,
    h.changed_at
  from public.categories c join private.category_changes h on h.category_id = c.id
  where c.id = $1 and c.user_id = private.caller_id() and ($2 is null or h.id < $2) and h.changed_at > now() - interval '30 days'
  order by h.id desc
  limit 50
$$;
comment on function public.category_history(uuid, bigint) is
  'What changed in a category of one''s own. Nullable: subject, program, person.';
revoke all on function public.category_history(uuid, bigint) from public, anon, authenticated, service_role;
grant execute on function public.category_history(uuid, bigint) to authenticated;
