-- Undoing what a program did in one act, by the person whose library it is; what the program of a member did in a shared folder also by
-- whoever may write there. Never by a program.

-- What would become, or became, of a row of an act: 'saved' goes to the bin, 'deleted' comes back from it, 'moved' returns, 'changed',
-- 'tagged', 'renamed' and 'tag' are as before; what stays says why: 'changed_since', 'gone', 'place_gone', 'not_yours'; else 'nothing'.
create type private.act_fate as (
  kind text,
  row_id uuid,
  fate text,
  was jsonb,
  tags_given uuid[],
  tags_taken uuid[],
  deletion_id bigint
);

-- Of the rows of an act in somebody's library, as it is now. writable: the categories to which whoever asks is bound; null: none.
create function private.weigh_program_act(act_id bigint, owner uuid, writable uuid[]) returns setof private.act_fate
  language plpgsql stable
  set search_path = ''
  -- Joined by hash the cost stays in proportion.
  set enable_nestloop = off
  set plan_cache_mode = force_custom_plan
as $$
declare
  -- The bin and the library are not searched for each row: first what may be meant.
  ids constant uuid[] := array(select r.row_id from private.program_act_rows r where r.act_id = $1);
  deletions constant bigint[] := array(
    select d.id from private.deletions d
    where d.user_id = owner and d.purge_after > now() and d.deleted_at = any (array(
      select distinct r.happened_at from private.program_act_rows r where r.act_id = $1 and r.became is null
    ))
  );
  places constant uuid[] := array(
    select c.id from public.categories c where c.user_id = owner and c.id = any (array(
      select (r.was ->> 'category_id')::uuid from private.program_act_rows r where r.act_id = $1 and r.was ? 'category_id'
      union
      select b.parent_id from private.deleted_rows b where b.deletion_id = any (deletions) and b.kind = 'link' and b.id = any (ids)
    ))
  );
begin
  return query
    select r.kind, r.row_id,
      case
        when r.kind = 'tag' then 'tag'
        when r.was is null and r.became is null then 'nothing'
        when r.kind = 'category' then case
          when c.id is null then 'gone'
          when s.has_changed then 'changed_since'
          when c.id <> all (writable) then 'not_yours'
          else 'renamed'
        end
        when r.became is null then case
          when l.id is not null then 'changed_since'
          when b.id is null then 'gone'
          when b.parent_id <> all (places) then 'place_gone'
          when b.parent_id <> all (writable) then 'not_yours'
          else 'deleted'
        end
        when l.id is null or s.has_changed then 'changed_since'
        when l.category_id <> all (writable) then 'not_yours'
        when r.was is null then 'saved'
        when r.was ? 'category_id' then case
          when (r.was ->> 'category_id')::uuid <> all (places) then 'place_gone'
          when (r.was ->> 'category_id')::uuid <> all (writable) then 'not_yours'
          else 'moved'
        end
        when r.was <> '{}' then 'changed'
        when r.tags_given <> '{}' or r.tags_taken <> '{}' then 'tagged'
        else 'nothing'
      end,
      r.was, r.tags_given, r.tags_taken, b.deletion_id
    from private.program_act_rows r
    left join public.links l on r.kind = 'link' and l.id = r.row_id and l.id = any (ids) and l.user_id = owner
    left join public.categories c on r.kind = 'category' and c.id = r.row_id and c.id = any (ids) and c.user_id = owner
    left join private.deleted_rows b on r.became is null and b.id = r.row_id
      and b.deletion_id = any (deletions) and b.kind = 'link'
    cross join lateral (
      select exists (
        select from jsonb_object_keys(coalesce(r.was, r.became)) as k(field)
        where r.became -> k.field is distinct from case r.kind
          when 'link' then private.link_trace(l.url, l.title, l.description, l.category_id)
          else private.category_trace(c.name, c.description)
        end -> k.field
      ) as has_changed
    ) as s
    where r.act_id = $1;
end
$$;

-- Whether somebody sees a change of a category: its owner; and of what others did in a shared folder whoever may write there, since they
-- may. What its owner does is the owner's alone: a category may have been held back meanwhile.
create function private.sees_change(category public.categories, person uuid, changed_at timestamptz, caller uuid) returns boolean
  language plpgsql stable
  set search_path = ''
as $$
begin
  return category.user_id = caller or (
    caller is not null and person is not null and category.id = any (private.writable_category_ids())
    and changed_at >= (
      select min(m.created_at) from public.folder_members m where m.folder_id = category.folder_id and m.member_id = caller
    )
  );
end
$$;

-- The act behind an entry of a history that the caller sees: all null where there is none.
create function private.find_program_act(change_id bigint, caller uuid) returns private.program_acts
  language sql stable
  set search_path = ''
as $$
  select a
  from private.category_changes h
  join public.categories c on c.id = h.category_id
  join private.program_acts a on a.id = h.act_id
  where h.id = $1 and h.changed_at > now() - interval '30 days' and private.sees_change(c, h.person_id, h.changed_at, caller)
$$;

create function private.count_fates(fates private.act_fate[]) returns jsonb
  language sql immutable
  set search_path = ''
as $$
  select coalesce(jsonb_object_agg(n.fate, n.total), '{}')
  from (select f.fate, count(*) as total from unnest($1) as f where f.fate not in ('nothing', 'tag') group by f.fate) as n
$$;

-- What undoing the act behind an entry would do: how many rows of each fate.
create function public.program_act(change_id bigint) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := private.caller_id();
  act constant private.program_acts := private.find_program_act($1, caller);
begin
  if act.id is null then
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  elsif act.undone_at is not null then
    return act.undone;
  end if;
  return private.count_fates(array(
    select f from private.weigh_program_act(
      act.id, act.owner_id, case when act.owner_id <> caller then private.writable_category_ids() end
    ) as f
  ));
end
$$;

-- Undoes it, once: whoever asks again gets the same answer. All that can come back does, or, refused, nothing.
create function public.undo_program_act(change_id bigint) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
  set plan_cache_mode = force_custom_plan
as $$
declare
  caller constant uuid := private.caller_id();
  act private.program_acts := private.find_program_act($1, caller);
  writable constant uuid[] := case when act.owner_id <> caller then private.writable_category_ids() end;
  ids uuid[];
  fates private.act_fate[];
  answer jsonb;
begin
  if act.id is null then
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  elsif act.undone_at is not null then
    return act.undone;
  elsif act.row_count > private.most('rows_of_act') then
    raise exception using
      errcode = 'PT409', message = 'Foram mudanças demais de uma vez para desfazer', hint = 'act_too_large';
  end if;
  -- Links, place in the bin, counters, act: in the order in which whoever writes and whoever gives back takes them.
  ids := array(select r.row_id from private.program_act_rows r where r.act_id = act.id order by r.row_id);
  perform from public.links l where l.id = any (ids) and l.user_id = act.owner_id order by l.id for update;
  insert into private.restorations (user_id, link_count, category_count)
  select act.owner_id, coalesce(max(d.link_count), 0), coalesce(max(d.category_count), 0)
  from private.deletions d where d.user_id = act.owner_id and d.purge_after > now();
  perform from public.library_counts n where n.user_id = act.owner_id for no key update;
  select a.* into act from private.program_acts a where a.id = act.id for update;
  if act.id is null then
    raise exception using errcode = 'PT404', message = 'Não dá mais para desfazer';
  elsif act.undone_at is not null then
    delete from private.restorations r where r.user_id = act.owner_id;
    return act.undone;
  elsif ids is distinct from array(select r.row_id from private.program_act_rows r where r.act_id = act.id order by r.row_id) then
    raise exception using
      errcode = 'PT409', message = 'O programa ainda está trabalhando nisto. Tente de novo em instantes.', hint = 'act_goes_on';
  end if;
  fates := array(select f from private.weigh_program_act(act.id, act.owner_id, writable) as f);

  -- What comes back, past the limits of a plan that has become smaller.
  insert into public.tags (id, user_id, name, color, created_at)
  select t.id, act.owner_id, t.name, t.color, t.created_at
  from unnest(fates) as f cross join lateral jsonb_populate_record(null::public.tags, f.was) as t
  where f.fate = 'tag'
  on conflict do nothing;
  perform private.restore_links(act.owner_id, g.deletions, g.ids, null, '{}')
  from (
    select array_agg(f.deletion_id) as deletions, array_agg(f.row_id) as ids from unnest(fates) as f where f.fate = 'deleted'
  ) as g
  where g.ids is not null;
  delete from private.restorations r where r.user_id = act.owner_id;

  update public.links l set
    url = coalesce(f.was ->> 'url', l.url), title = coalesce(f.was ->> 'title', l.title),
    description = case when f.was ? 'description' then f.was ->> 'description' else l.description end,
    category_id = coalesce((f.was ->> 'category_id')::uuid, l.category_id)
  from unnest(fates) as f
  where f.fate in ('moved', 'changed') and l.id = f.row_id and l.user_id = act.owner_id;
  update public.categories c set
    name = coalesce(f.was ->> 'name', c.name),
    description = case when f.was ? 'description' then f.was ->> 'description' else c.description end
  from unnest(fates) as f
  where f.fate = 'renamed' and c.id = f.row_id and c.user_id = act.owner_id;
  delete from public.links l where l.user_id = act.owner_id and l.id = any (array(
    select f.row_id from unnest(fates) as f where f.fate = 'saved'
  ));
  perform private.undo_tagging(act, fates);

  answer := private.count_fates(fates);
  -- Where nothing came back it stays as it is: what stands in its way may go.
  if answer ?| '{saved,deleted,moved,changed,tagged,renamed}' then
    update private.program_acts a set undone_at = now(), undone = answer where a.id = act.id;
    delete from private.program_act_rows r where r.act_id = act.id;
  end if;
  perform private.purge_deletions(1000);
  return answer;
exception when foreign_key_violation then
  raise exception using
    errcode = 'PT409', message = 'Uma categoria acabou de ser excluída. Tente de novo.', hint = 'place_gone';
end
$$;

-- The tags that the act gave go from its links, those that it took come back as far as they are there and have room; what it made goes
-- where nothing else has it.
create function private.undo_tagging(act private.program_acts, fates private.act_fate[]) returns void
  language plpgsql
  set search_path = ''
  set enable_nestloop = off
  set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  touched constant uuid[] := array(
    select f.row_id from unnest(fates) as f
    where f.kind = 'link' and f.fate in ('deleted', 'moved', 'changed', 'tagged') and (f.tags_given <> '{}' or f.tags_taken <> '{}')
  );
  tag_ids uuid[];
begin
  if cardinality(touched) > 0 then
    with meant as materialized (
      select f.row_id, t.id as tag_id from unnest(fates) as f cross join lateral unnest(f.tags_given) as t(id) where f.row_id = any (touched)
    )
    delete from public.link_tags k using meant m
    where k.link_id = any (touched) and k.user_id = act.owner_id and k.link_id = m.row_id and k.tag_id = m.tag_id;

    insert into public.link_tags (link_id, tag_id, user_id, saved_at)
    select n.link_id, n.tag_id, act.owner_id, n.created_at
    from (
      select l.id as link_id, t.id as tag_id, l.created_at, coalesce(k.total, 0) as total,
        row_number() over (partition by l.id order by t.id) as place
      from unnest(fates) as f
      cross join lateral unnest(f.tags_taken) as x(id)
      join public.links l on l.id = f.row_id and l.id = any (touched) and l.user_id = act.owner_id
      join public.tags t on t.id = x.id and t.user_id = act.owner_id
      left join (
        select o.link_id, count(*) as total, array_agg(o.tag_id) as tag_ids from public.link_tags o
        where o.link_id = any (touched) group by o.link_id
      ) as k on k.link_id = l.id
      where t.id <> all (coalesce(k.tag_ids, '{}'))
    ) as n
    where n.total + n.place <= private.most_tags('link')
    on conflict do nothing;

    tag_ids := array(
      select distinct t.id from unnest(fates) as f cross join lateral unnest(f.tags_given || f.tags_taken) as t(id)
      where f.row_id = any (touched)
    );
    update public.tags t set tagged_at = clock_timestamp() where t.user_id = act.owner_id and t.id = any (tag_ids);
    perform private.tell_viewers(private.shared_category_ids(array(
      select distinct l.category_id from public.links l where l.id = any (touched)
    )));
  end if;
  delete from public.tags t
  where t.id = any (act.made_tags) and t.user_id = act.owner_id and t.link_count = 0;
end
$$;

-- As before; whoever may write in a shared folder sees what its members did there. undo, of what a program did: 'possible', 'undone',
-- 'too_large', or 'never' where nothing is kept that could come back.
drop function public.category_history(uuid, bigint);
create function public.category_history(category_id uuid, before bigint default null)
  returns table (
    id bigint, act text, count integer, subject text, program text, person text, changed_at timestamptz, undo text
  )
  language sql stable
  security definer
  set search_path = ''
as $$
  select h.id, h.act, h.count, h.subject, h.program,
    case when coalesce(h.person_id, c.user_id) <> u.caller
      then coalesce((select p.name from public.profiles p where p.id = coalesce(h.person_id, c.user_id)), '') end,
    h.changed_at,
    case
      when h.program is null or h.program = '' then null
      when a.id is null then 'never'
      when a.undone_at is not null then 'undone'
      when a.row_count > private.most('rows_of_act') then 'too_large'
      else 'possible'
    end
  from (select private.caller_id() as caller) as u
  join public.categories c on c.id = $1
  join private.category_changes h on h.category_id = c.id
  left join private.program_acts a on a.id = h.act_id
  where ($2 is null or h.id < $2) and h.changed_at > now() - interval '30 days'
    and (c.user_id = u.caller or private.sees_change(c, h.person_id, h.changed_at, u.caller))
  order by h.id desc
  limit 50
$$;
comment on function public.category_history(uuid, bigint) is
  'What changed in a category, for its owner, and for whoever may write in it what members did. Nullable: subject, program, person, undo.';

revoke all on function private.weigh_program_act(bigint, uuid, uuid[]), private.find_program_act(bigint, uuid),
  private.sees_change(public.categories, uuid, timestamptz, uuid), private.count_fates(private.act_fate[]),
  private.undo_tagging(private.program_acts, private.act_fate[]) from public;
revoke all on function public.category_history(uuid, bigint), public.program_act(bigint), public.undo_program_act(bigint)
  from public, anon, authenticated, service_role;
grant execute on function public.category_history(uuid, bigint), public.program_act(bigint), public.undo_program_act(bigint)
  to authenticated;
