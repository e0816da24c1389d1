-- A folder changes its owner: all that is in it is written anew under the new one, with the same ids. The triggers that count, index and
-- limit see it go and come, so the new owner's plan holds as for whatever else they add.

-- What of the old owner's bin belongs to the folder, as deletions of the new owner's with the same end. Tags that it had are the old
-- owner's and stay away.
create function private.hand_over_bin(folder_id uuid, category_ids uuid[], giver uuid, taker uuid) returns void
  language plpgsql
  set search_path = ''
as $$
#variable_conflict use_column
declare
  given record;
  opened bigint;
  total bigint;
begin
  for given in
    select d.*, i.ids
    from private.deletions d
    cross join lateral (
      select array_agg(l.id) as ids
      from private.deleted_rows l
      where l.deletion_id = d.id and (
        l.kind = 'category' and l.parent_id = $1
        or l.kind = 'link' and (l.parent_id = any ($2) or exists (
          select from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'category' and k.id = l.parent_id and k.parent_id = $1
        ))
      )
    ) as i
    where d.user_id = giver and i.ids is not null
    order by d.id
  loop
    insert into private.deletions (
      user_id, transaction_id, deleted_at, link_count, category_count, zones_until, purge_after, folder_name, category_name, deleted_by,
      rows_until
    )
    select taker, given.transaction_id, given.deleted_at, 0, 0, given.zones_until, given.purge_after, given.folder_name,
      given.category_name, nullif(coalesce(given.deleted_by, giver), taker),
      coalesce((select max(o.rows_until) from private.deletions o where o.user_id = taker), 0)
    on conflict on constraint deletions_one_per_transaction do update set purge_after = excluded.purge_after
    returning id into opened;
    update private.deleted_rows r
    set deletion_id = opened,
      content = case when r.kind in ('link', 'category', 'order') then r.content || jsonb_build_object('user_id', taker) else r.content end
    where r.deletion_id = given.id and r.id = any (given.ids);
    get diagnostics total = row_count;
    perform private.keep_newest_deletions(opened, total);
    delete from private.deletions d
    where d.id = given.id and not exists (select from private.deleted_rows r where r.deletion_id = given.id);
  end loop;
end
$$;

-- A name that the person has for no folder: 'Turma', or 'Turma (2)'.
create function private.free_folder_name(person uuid, name text) returns text
  language sql stable
  set search_path = ''
as $$
  select n.name
  from (
    select 1 as place, $2 as name
    union all select g, rtrim(left($2, 50 - char_length(' (' || g || ')'))) || ' (' || g || ')' from generate_series(2, 10001) as g
  ) as n
  where not exists (select from public.folders f where f.user_id = person and f.name = n.name)
  order by n.place limit 1
$$;

create function private.hand_over(folder_id uuid, giver uuid, taker uuid) returns void
  language plpgsql
  set search_path = ''
as $$
#variable_conflict use_column
declare
  given public.folders;
  look public.folder_looks;
  categories public.categories[];
  links public.links[];
  members public.folder_members[];
  shares public.shared_with[];
  orders public.manual_order[];
  stars public.favorites[];
  history private.category_changes[];
  category_ids uuid[];
  link_ids uuid[];
  tagged jsonb;
begin
  select f.* into given from public.folders f where f.id = $1;
  select l.* into look from public.folder_looks l where l.folder_id = $1;
  categories := array(select c from public.categories c where c.folder_id = $1 order by c.created_at, c.id);
  category_ids := array(select c.id from unnest(categories) as c);
  links := array(select l from public.links l where l.category_id = any (category_ids) order by l.created_at, l.id);
  link_ids := array(select l.id from unnest(links) as l);
  members := array(select m from public.folder_members m where m.folder_id = $1 order by m.created_at, m.id);
  shares := array(select s from public.shared_with s where s.category_id = any (category_ids) order by s.created_at, s.id);
  orders := array(select o from public.manual_order o where o.category_id = any (category_ids) or o.link_id = any (link_ids));
  stars := array(select s from public.favorites s where s.category_id = any (category_ids) or s.link_id = any (link_ids));
  history := array(select h from private.category_changes h where h.category_id = any (category_ids) order by h.id);
  select jsonb_agg(jsonb_build_object('link_id', k.link_id, 'name', t.name, 'folded', t.folded, 'color', t.color, 'saved_at', k.saved_at))
  into tagged
  from public.link_tags k join public.tags t on t.id = k.tag_id where k.link_id = any (link_ids);

  perform private.hand_over_bin($1, category_ids, giver, taker);
  -- What the old owner saves without a choice goes elsewhere from now on.
  delete from public.inboxes i where i.user_id = giver and i.category_id = any (category_ids);
  delete from public.folders f where f.id = $1;

  insert into public.folders (id, name, user_id, is_public, shared_with, created_at)
  values (given.id, private.free_folder_name(taker, given.name), taker, given.is_public, given.shared_with, given.created_at);
  if look.folder_id is not null then
    insert into public.folder_looks (folder_id, user_id, color, emoji) values ($1, taker, look.color, look.emoji);
  end if;
  insert into public.categories (id, name, folder_id, user_id, description, is_public, created_at, updated_at, is_held_back)
  select c.id, c.name, c.folder_id, taker, c.description, c.is_public, c.created_at, c.updated_at, c.is_held_back from unnest(categories) as c;
  -- What the old owner added is said to be theirs, and what the new one did no longer.
  insert into public.links (id, url, title, description, category_id, user_id, created_at, updated_at, added_by, added_by_name)
  select l.id, l.url, l.title, l.description, l.category_id, taker, l.created_at, l.updated_at,
    nullif(coalesce(l.added_by, giver), taker),
    case when l.added_by = taker then null when l.added_by is null and l.added_by_name is null then p.name else l.added_by_name end
  from unnest(links) as l left join public.profiles p on p.id = giver;
  -- Of people who were there by a group of the old owner's, what they could do stays, and the group does not.
  insert into public.folder_members (id, folder_id, email, role, invited_by, created_at)
  select distinct on (m.email) m.id, m.folder_id, m.email,
    case when bool_or(m.role = 'manager') over same then 'manager' when bool_or(m.role = 'editor') over same then 'editor' else 'viewer' end,
    m.invited_by, m.created_at
  from unnest(members) as m where m.member_id is distinct from taker
  window same as (partition by m.email) order by m.email, m.created_at, m.id;
  insert into public.folder_members (folder_id, email, role, invited_by)
  select $1, lower(u.email), 'manager', taker
  from auth.users u where u.id = giver and u.email is not null
  on conflict on constraint folder_members_folder_id_email_key do update set role = excluded.role;
  insert into public.shared_with (category_id, email, created_at, id)
  select s.category_id, s.email, s.created_at, s.id from unnest(shares) as s
  where s.email <> (select coalesce(lower(u.email), '') from auth.users u where u.id = taker);
  insert into public.manual_order (id, user_id, category_id, link_id, rank)
  select o.id, taker, o.category_id, o.link_id, o.rank from unnest(orders) as o;
  insert into public.favorites select s.* from unnest(stars) as s;

  insert into public.tags (user_id, name, color)
  select distinct on (t.folded) taker, t.name, t.color
  from jsonb_to_recordset(tagged) as t(name text, folded text, color text)
  where not exists (select from public.tags o where o.user_id = taker and o.folded = t.folded);
  insert into public.link_tags (link_id, tag_id, user_id, saved_at)
  select t.link_id, o.id, taker, t.saved_at
  from jsonb_to_recordset(tagged) as t(link_id uuid, folded text, saved_at timestamptz)
  join public.tags o on o.user_id = taker and o.folded = t.folded;

  -- The history goes on: that everything came just now is no news.
  delete from private.category_changes h where h.category_id = any (category_ids);
  insert into private.category_changes (category_id, act, count, subject, program, changed_at, person_id)
  select h.category_id, h.act, h.count, h.subject, h.program, h.changed_at, nullif(coalesce(h.person_id, giver), taker)
  from unnest(history) as h order by h.id;
end
$$;

create function private.lock_links_of(folder_id uuid) returns void
  language sql
  set search_path = ''
as $$
  select from public.links l join public.categories c on c.id = l.category_id where c.folder_id = $1 order by l.id for update of l
$$;

-- Accepts an offered folder, or takes over that of a closed account.
create function public.take_folder(folder_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
  giver uuid;
begin
  -- In the order in which whoever changes a link locks, it before its category and the counts: what is being written is finished first.
  perform from public.folders f where f.id = $1 and exists (
    select from private.available_folders a where a.folder_id = f.id and a.person_id = caller
  ) for update;
  select a.owner_id into giver from private.available_folders a where a.folder_id = $1 and a.person_id = caller;
  if giver is null then
    raise exception using errcode = 'PT404', message = 'Esta pasta não está mais disponível';
  end if;
  perform private.lock_links_of($1);
  perform from public.categories c where c.folder_id = $1 order by c.id for update;
  -- Those that came while this waited. No more can come.
  perform private.lock_links_of($1);
  if (
    select sum(n.link_count) from public.categories c join public.category_counts n on n.category_id = c.id where c.folder_id = $1
  ) > 20000 then
    raise exception using errcode = 'PT409', message = 'No máximo 20.000 links por vez', hint = 'too_many_links';
  end if;
  perform from public.library_counts n where n.user_id in (giver, caller) order by n.user_id for no key update;
  perform private.require_sharing_plan(caller);
  -- In nobody's name: what goes here is not deleted by anybody, and lies in no bin; what comes was added by whoever added it.
  perform set_config('request.jwt.claims', '', true), set_config('request.jwt.claim.sub', '', true);
  perform private.hand_over($1, giver, caller);
  perform set_config('request.jwt.claims', coalesce(claims, ''), true), set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
end
$$;

-- Whose account is gone for good is offered nothing.
do $$
declare
  asks constant text := 'delete from private.group_members m where m.email = address;';
  definition text := pg_catalog.pg_get_functiondef('private.forget_person(uuid)'::regprocedure);
begin
  if position(asks in definition) = 0 then
    raise exception 'private.forget_person does not forget groups';
  end if;
  execute replace(definition, asks, asks || E'\n  delete from private.folder_offers o where o.email = address;');
end
$$;

revoke all on function private.hand_over_bin(uuid, uuid[], uuid, uuid), private.free_folder_name(uuid, text),
  private.hand_over(uuid, uuid, uuid), private.lock_links_of(uuid) from public;
revoke all on function public.take_folder(uuid) from public, anon, authenticated, service_role;
grant execute on function public.take_folder(uuid) to authenticated;
