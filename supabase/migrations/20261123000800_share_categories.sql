-- The public page of a category. Its address is the key: these answer for one id at a time, so that no one lists what is public.

-- How the caller stands to a category: 'owner', 'public', 'invited', 'limited' (invited, but the plan opens another share),
-- 'denied' (restricted to others), or null when there is nothing to know: no such category, or a private one. Whoever comes with the
-- token of a closed account is a visitor.
create function private.category_access(category_id uuid) returns text
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  owner_id uuid;
  published boolean;
begin
  select c.user_id, c.is_public into owner_id, published from public.categories c where c.id = category_access.category_id;
  if not found then
    return null;
  elsif not private.is_account_open() then
    return case
      when published then 'public'
      when exists (select from public.shared_with s where s.category_id = category_access.category_id) then 'denied'
    end;
  elsif owner_id = auth.uid() then
    return 'owner';
  elsif published then
    return 'public';
  elsif category_access.category_id = any (private.openable_category_ids()) then
    return 'invited';
  elsif category_access.category_id = any (private.invited_category_ids()) then
    return 'limited';
  elsif exists (select from public.shared_with s where s.category_id = category_access.category_id) then
    return 'denied';
  end if;
  return null;
end
$$;

-- One row, or none when there is nothing to know. A denied caller learns that the category is restricted, and nothing of it.
create function public.shared_category(category_id uuid)
  returns table (
    id uuid,
    access text,
    name text,
    description text,
    owner_name text,
    link_count integer,
    created_at timestamptz,
    updated_at timestamptz
  )
  language sql stable
  security definer
  set search_path = ''
as $$
  select $1, a.access, c.name, c.description, c.name_users, n.link_count, c.created_at, c.updated_at
  from (select private.category_access($1) as access) as a
  left join public.categories c on c.id = $1 and a.access <> 'denied'
  left join public.category_counts n on n.category_id = c.id
  where a.access is not null
$$;

-- A page of its links, newest first; `before` and `before_id` are created_at and id of the last link seen. Without the id the page
-- begins with what is older than that moment.
create function public.shared_links(
  category_id uuid,
  max_results integer default 50,
  before timestamptz default null,
  before_id uuid default null
)
  returns table (
    id uuid,
    url text,
    title text,
    description text,
    created_at timestamptz,
    updated_at timestamptz
  )
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  if coalesce(private.category_access(shared_links.category_id), 'denied') in ('denied', 'limited') then
    return;
  end if;
  return query
    select l.id, l.url, l.title, l.description, l.created_at, l.updated_at
    from public.links l
    where l.category_id = shared_links.category_id
      and (l.created_at, l.id) < (
        coalesce(shared_links.before, 'infinity'),
        coalesce(shared_links.before_id, '00000000-0000-0000-0000-000000000000')
      )
    order by l.created_at desc, l.id desc
    limit least(greatest(coalesce(max_results, 50), 0), 100);
end
$$;

-- 'Copiar para minha biblioteca': a category of the caller's own with copies of the links that they may see. All of it or nothing;
-- the caller's limits hold as for any category and link.
create function public.copy_shared_category(category_id uuid, folder_id uuid) returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
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

-- What was typed as it is stored: trimmed, lower case, each once, in the order given, without the caller's own.
create function private.read_share_emails(emails text[]) returns text[]
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  given text[];
begin
  select coalesce(array_agg(typed.email order by typed.place), '{}') into given
  from (
    select lower(btrim(t.email, E' \t\r\n')) as email, min(t.place) as place
    from unnest(emails) with ordinality as t(email, place)
    group by 1
  ) as typed;
  if not private.are_share_emails(given) then
    raise exception using errcode = 'PT400', message = 'Email inválido';
  end if;
  return array_remove(given, lower(auth.email()));
end
$$;

-- Mode and list of a category in one save: both or, refused, neither. Whoever saves holds the category's row until commit, so saves,
-- publications, invitations and the deletion of one category come one after the other.
--
-- Returns what is stored now, and which addresses are new: {"is_public", "emails", "added"}. Reducing is allowed on every plan;
-- the gates refuse what extends. Public wins over a list that is sent along.
create function public.save_sharing(category_id uuid, is_public boolean, emails text[]) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  wanted text[] := '{}';
  before text[];
  added text[];
begin
  if is_public is null or emails is null then
    raise exception using errcode = 'PT400', message = 'Dados inválidos para o compartilhamento';
  end if;
  -- Somebody else's category answers like one that does not exist.
  perform from public.categories c where c.id = $1 and c.user_id = private.caller_id() for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  if cardinality(emails) > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 100 endereços por categoria';
  end if;
  if not $2 then
    wanted := private.read_share_emails(emails);
  end if;

  -- What goes first, so that a full list can change; the gates look at each step.
  delete from public.shared_with s where s.category_id = $1 and s.email <> all (wanted);
  update public.categories c set is_public = $2 where c.id = $1 and c.is_public <> $2;
  before := array(select s.email from public.shared_with s where s.category_id = $1);
  added := array(
    select w.email from unnest(wanted) with ordinality as w(email, place)
    where w.email <> all (before) order by w.place
  );
  insert into public.shared_with (category_id, email)
  select $1, a.email from unnest(added) with ordinality as a(email, place) order by a.place;
  perform private.enqueue_share_notifications($1, private.caller_id(), added);

  return jsonb_build_object(
    'is_public', $2,
    'emails', array(select s.email from public.shared_with s where s.category_id = $1 order by s.created_at, s.email),
    'added', added
  );
end
$$;

-- Which of the categories that are shared with the caller is opened first.
create function public.open_share(category_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into private.chosen_shares (user_id, category_id)
  select private.caller_id(), s.category_id from public.shared_with s
  where s.category_id = $1 and s.email = lower(auth.email()) and private.caller_id() is not null
  on conflict on constraint chosen_shares_pkey do update set category_id = excluded.category_id;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
end
$$;

-- The one that the caller chose, as long as it is shared with them.
create function public.opened_share() returns uuid
  language sql stable
  security definer
  set search_path = ''
as $$
  select c.category_id
  from private.chosen_shares c
  join public.shared_with s on s.category_id = c.category_id and s.email = lower(auth.email())
  where c.user_id = private.caller_id()
$$;

create function public.leave_share(category_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- As whoever saves the list does: one after the other. Nobody holds what is not shared with them.
  perform from public.categories c
  where c.id = $1 and c.id = any (private.invited_category_ids()) for no key update;
  delete from private.left_shares l
  where l.user_id = private.caller_id() and l.left_at < now() - interval '1 day'
    and not exists (select from public.categories c where c.id = l.category_id);
  with gone as (
    delete from public.shared_with s
    where s.category_id = $1 and s.email = lower(auth.email()) and private.caller_id() is not null
    returning s.created_at
  )
  insert into private.left_shares (user_id, category_id, shared_at)
  select private.caller_id(), $1, g.created_at from gone g
  on conflict on constraint left_shares_pkey do update set shared_at = excluded.shared_at, left_at = now();
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
end
$$;

-- Whether the caller left this category, for its page.
create function public.has_left_share(category_id uuid) returns boolean
  language sql stable
  security definer
  set search_path = ''
as $$
  select exists (select from private.left_shares l where l.user_id = private.caller_id() and l.category_id = $1)
$$;

-- Takes it back: at once the category is open again (true). Later the owner may invite again, and has to (false): they may have
-- thought better of it.
create function public.return_to_share(category_id uuid) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  place private.left_shares;
begin
  perform from public.categories c where c.id = $1 and public.has_left_share($1) for no key update;
  delete from private.left_shares l where l.user_id = private.caller_id() and l.category_id = $1 returning * into place;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  insert into public.shared_with (category_id, email, created_at)
  select c.id, lower(auth.email()), place.shared_at
  from public.categories c
  where c.id = $1 and not c.is_public and place.left_at > now() - private.undo_window();
  return found;
end
$$;

revoke all on function private.category_access(uuid), private.read_share_emails(text[]) from public;
revoke all on function public.shared_category(uuid), public.shared_links(uuid, integer, timestamptz, uuid),
  public.copy_shared_category(uuid, uuid), public.save_sharing(uuid, boolean, text[]), public.open_share(uuid),
  public.opened_share(), public.leave_share(uuid), public.has_left_share(uuid), public.return_to_share(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.shared_category(uuid), public.shared_links(uuid, integer, timestamptz, uuid)
  to anon, authenticated, service_role;
grant execute on function public.copy_shared_category(uuid, uuid), public.save_sharing(uuid, boolean, text[]),
  public.open_share(uuid), public.opened_share(), public.leave_share(uuid), public.has_left_share(uuid),
  public.return_to_share(uuid) to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.shared_category(uuid) is
  'How the caller stands to a category. Nullable: name, description, owner_name, link_count, created_at, updated_at.';
comment on function public.shared_links(uuid, integer, timestamptz, uuid) is
  'A page of a shared category''s links. Nullable: description.';
comment on function public.opened_share() is 'Which of the categories shared with the caller they want opened. Nullable.';
