-- Programs that act for a person (OAuth) may do what the person said yes to, and nothing else: `links:read`, `links:write`, `share`. It is
-- asked by the session of the token, not by what the token says: the same row that says whether the session has ended.
--
-- Everything is closed to programs unless it is opened here: is_account_open() and caller_id() are the person's own. A table, a file, a
-- channel or a function that nobody thought of when programs came is none of theirs.

-- May the token act, and may what acts do this? Of programs, those that have one of the scopes; null: any program.
-- (What else is asked, and why it is one query, is said at is_account_open in 20261123000500_write_policies.sql.)
create function private.is_token_good(scopes text[]) returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller constant uuid := coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), auth.jwt() ->> 'sub');
  session uuid := nullif(current_setting('request.jwt.claim.session_id', true), '');
  claims jsonb;
  claimed text;
  is_in_scope boolean;
begin
  if caller is null then
    return true;
  end if;
  if session is null then
    claims := auth.jwt();
    claimed := nullif(claims ->> 'session_id', '');
    session := case
      when claimed ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then claimed
      -- No session has an id like this, or that one.
      when claimed is not null then '00000000-0000-0000-0000-000000000000'
    end;
  end if;
  if session is null then
    -- Signed by an operator: what it says is all there is.
    is_in_scope := not coalesce(claims ? 'client_id', false) or scopes is null or string_to_array(claims ->> 'scope', ' ') && scopes;
    if is_in_scope is not true then
      return false;
    end if;
  end if;
  return (session is null or exists (
    select from auth.sessions s
    where s.id = session and s.user_id = caller and (s.not_after is null or s.not_after > now())
      and (
        s.oauth_client_id is null and s.scopes is null
        or is_token_good.scopes is null
        or string_to_array(s.scopes, ' ') && is_token_good.scopes
      )
      -- Of programs the person was asked who had proven the second factor. In this order: almost nobody's claims have to be read for it.
      and (
        s.oauth_client_id is not null or s.scopes is not null
        or not exists (select from auth.mfa_factors f where f.user_id = caller and f.status = 'verified')
        or coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal1'
      )
  )) and not exists (
    select from auth.users u where u.id = caller and (u.deleted_at is not null or u.banned_until > now())
  ) and not exists (
    select from private.account_closures c
    where c.user_id = caller and (
      c.reopened_at is null or coalesce((auth.jwt() ->> 'iat')::numeric, 0) < floor(extract(epoch from c.reopened_at))
    )
  );
end
$$;

-- The person's own token, that of no program.
create or replace function private.is_account_open() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return private.is_token_good('{}');
end
$$;

-- Any token that has not ended: for connections that stay open.
create function private.is_session_open() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return private.is_token_good(null);
end
$$;

-- Who may change links may see them: nobody changes what they cannot see.
create function private.may_read_links() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return private.is_token_good('{links:read,links:write}');
end
$$;

create function private.may_write_links() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return private.is_token_good('{links:write}');
end
$$;

create function private.may_share() returns boolean
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return private.is_token_good('{share}');
end
$$;

comment on function private.may_read_links() is 'realtime: reads private.account_closures';
comment on function private.may_write_links() is 'realtime: reads private.account_closures';
comment on function private.may_share() is 'realtime: reads private.account_closures';

-- caller_id() for functions that programs may call, by what they need.
create function private.reader_id() returns uuid
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return case when private.may_read_links() then auth.uid() end;
end
$$;

create function private.writer_id() returns uuid
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return case when private.may_write_links() then auth.uid() end;
end
$$;

create function private.sharer_id() returns uuid
  language plpgsql stable
  security definer
  set search_path = ''
as $$
begin
  return case when private.may_share() then auth.uid() end;
end
$$;

revoke all on function private.is_token_good(text[]), private.is_session_open(), private.may_read_links(), private.may_write_links(),
  private.may_share(), private.reader_id(), private.writer_id(), private.sharer_id() from public;
grant execute on function private.is_session_open(), private.may_read_links(), private.may_write_links(), private.may_share()
  to authenticated;

-- The library, by links:read and links:write. What is for everybody stays one question a statement; writing asks one more.
do $$
declare
  name text;
begin
  foreach name in array array[
    'folders', 'categories', 'links', 'favorites', 'folder_looks', 'manual_order', 'tags', 'link_tags', 'saved_searches'
  ] loop
    execute format('alter policy %1$I on public.%2$I using ((select private.may_read_links()))', name || '_of_open_account', name);
    execute format(
      'create policy %1$I on public.%2$I as restrictive for insert to authenticated with check ((select private.may_write_links()))',
      name || '_insert_in_scope', name);
    execute format(
      'create policy %1$I on public.%2$I as restrictive for update to authenticated using ((select private.may_write_links()))',
      name || '_update_in_scope', name);
    execute format(
      'create policy %1$I on public.%2$I as restrictive for delete to authenticated using ((select private.may_write_links()))',
      name || '_delete_in_scope', name);
  end loop;
end
$$;
alter policy library_counts_of_open_account on public.library_counts using ((select private.may_read_links()));
alter policy category_counts_of_open_account on public.category_counts using ((select private.may_read_links()));

-- Whom something is shared with, by share alone: these are other people's addresses.
alter policy shared_with_of_open_account on public.shared_with using ((select private.may_share()));

-- What others see is not a matter of changing links.
create function private.refuse_sharing_out_of_scope() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if private.is_account_open() or private.may_share() then
    return new;
  end if;
  raise exception using errcode = '42501', message = 'Este programa não pode mudar com quem algo é compartilhado.';
end
$$;
revoke all on function private.refuse_sharing_out_of_scope() from public;

create trigger categories_new_in_scope before insert on public.categories
  for each row when (new.is_public) execute function private.refuse_sharing_out_of_scope();
create trigger categories_change_in_scope before update on public.categories
  for each row when (new.is_public <> old.is_public) execute function private.refuse_sharing_out_of_scope();
create trigger folders_new_in_scope before insert on public.folders
  for each row when (new.is_public or new.shared_with <> '{}') execute function private.refuse_sharing_out_of_scope();
create trigger folders_change_in_scope before update on public.folders
  for each row when (new.is_public <> old.is_public or new.shared_with <> old.shared_with)
  execute function private.refuse_sharing_out_of_scope();

-- Functions that programs may call: the rest asks for the person, and finds nobody.
do $$
declare
  opened record;
  definition text;
begin
  for opened in
    select p.oid, w.name, w.asks, w.instead
    from (values
      ('public.search_links', 'private.caller_id()', 'private.reader_id()'),
      ('public.search_links_by', 'private.caller_id()', 'private.reader_id()'),
      ('public.count_links_by', 'private.caller_id()', 'private.reader_id()'),
      ('public.find_links_by_url', 'private.caller_id()', 'private.reader_id()'),
      ('public.suggest_search', 'private.caller_id()', 'private.reader_id()'),
      ('public.search_received_links', 'private.caller_id()', 'private.reader_id()'),
      ('private.received_categories', 'private.caller_id()', 'private.reader_id()'),
      ('private.category_access', 'private.is_account_open()', 'private.may_read_links()'),
      ('public.tag_links', 'private.caller_id()', 'private.writer_id()'),
      ('public.delete_tags', 'private.caller_id()', 'private.writer_id()'),
      ('public.merge_tags', 'private.caller_id()', 'private.writer_id()'),
      ('public.undo_tag_change', 'private.caller_id()', 'private.writer_id()'),
      ('public.place_links', 'private.caller_id()', 'private.writer_id()'),
      ('public.undo_deletion', 'private.caller_id()', 'private.writer_id()'),
      ('public.save_sharing', 'private.caller_id()', 'private.sharer_id()')
    ) as w(name, asks, instead)
    left join pg_catalog.pg_proc p
      on p.pronamespace = to_regnamespace(split_part(w.name, '.', 1)) and p.proname = split_part(w.name, '.', 2)
  loop
    definition := pg_catalog.pg_get_functiondef(opened.oid);
    if definition is null or position(opened.asks in definition) = 0 then
      raise exception '% does not ask %', opened.name, opened.asks;
    end if;
    execute replace(definition, opened.asks, opened.instead);
  end loop;
end
$$;

-- A program is no place where somebody is signed in: the list of programs has it.
create or replace function public.list_devices() returns table (
  session_id uuid,
  is_current boolean,
  signed_in_at timestamptz,
  last_used_at timestamptz,
  user_agent text,
  network text
)
  language sql stable
  security definer
  set search_path = ''
as $$
  select s.id,
    s.id = own.id,
    s.created_at,
    greatest(s.created_at, s.refreshed_at at time zone 'utc'),
    s.user_agent,
    private.shorten_address(s.ip)
  from (select private.caller_session() as id) as own
  join auth.sessions s on own.id is not null and s.user_id = (select auth.uid())
  where (s.not_after is null or s.not_after > now()) and s.oauth_client_id is null and s.scopes is null
  order by s.id = own.id desc, 4 desc, s.id
  limit 200
$$;

create or replace function public.end_other_devices() returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  own constant uuid := private.caller_session();
  ended uuid[];
  session_id uuid;
begin
  if own is null then
    raise exception using errcode = 'PT401', message = 'Sua sessão terminou. Entre de novo.';
  end if;
  with gone as (
    delete from auth.sessions s
    where s.user_id = (select auth.uid()) and s.id <> own and s.oauth_client_id is null and s.scopes is null
    returning s.id
  )
  select coalesce(array_agg(g.id), '{}') into ended from gone g;
  foreach session_id in array ended loop
    perform realtime.send('{}', 'ended', 'session:' || session_id, true);
  end loop;
  return cardinality(ended);
end
$$;
