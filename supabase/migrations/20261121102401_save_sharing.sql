-- Mode and list of a category in one save: both or, refused, neither. Whoever saves holds the category's row until commit, so saves,
-- publications, invitations and the deletion of one category come one after the other.

-- As before, with a lock that lets one invitation in at a time: two shares of a lock would let two statements count the list
-- at once, and deadlock where both go on to change the category.
create or replace function private.gate_invitation() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owner_id uuid;
  published boolean;
begin
  -- A simultaneous publishing waits, so that it sees this address and drops it.
  select user_id, is_public into owner_id, published from public.categories
  where id = new.category_id and (auth.uid() is null or user_id = auth.uid()) for no key update;
  if not found then
    return new; -- the policy or the foreign key refuses
  end if;
  perform private.require_sharing_plan(owner_id);
  if published then
    raise exception using
      errcode = 'check_violation',
      message = 'a public category takes no invitations',
      constraint = 'shared_with_category_not_public',
      table = 'shared_with',
      schema = 'public';
  end if;
  return new;
end
$$;

-- At most 100 addresses a category. A list that was longer already comes back whole from an undone deletion.
create function private.limit_invitations() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if exists (
    select from public.categories c
    where c.id = any (array(select distinct a.category_id from added a))
      and (select count(*) from public.shared_with s where s.category_id = c.id) > 100
      and not exists (select from private.restorations r where r.user_id = c.user_id)
  ) then
    raise exception using errcode = 'PT400', message = 'No máximo 100 endereços por categoria';
  end if;
  return null;
end
$$;
revoke all on function private.limit_invitations() from public;
create trigger shared_with_limit after insert on public.shared_with
  referencing new table as added for each statement execute function private.limit_invitations();

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
revoke all on function private.read_share_emails(text[]) from public;

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
  perform from public.categories c where c.id = $1 and c.user_id = auth.uid() for no key update;
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
  perform private.enqueue_share_notifications($1, auth.uid(), added);

  return jsonb_build_object(
    'is_public', $2,
    'emails', array(select s.email from public.shared_with s where s.category_id = $1 order by s.created_at, s.email),
    'added', added
  );
end
$$;
revoke all on function public.save_sharing(uuid, boolean, text[]) from public, anon, authenticated, service_role;
grant execute on function public.save_sharing(uuid, boolean, text[]) to authenticated;
