-- Favourites: what a person has starred, a link or a category, of their own or received. Nobody else learns of it.
create table public.favorites (
  -- The hosted platform tells the primary key of a deleted row to everyone who listens to its table: an id tells nothing.
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  link_id uuid,
  category_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint favorites_pkey primary key (id),
  constraint favorites_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint favorites_link_id_fkey foreign key (link_id) references public.links (id) on delete cascade,
  constraint favorites_category_id_fkey foreign key (category_id) references public.categories (id) on delete cascade,
  constraint favorites_one_item check (num_nonnulls(link_id, category_id) = 1),
  -- The item first: what is deleted takes its stars along by these.
  constraint favorites_link_once unique (link_id, user_id),
  constraint favorites_category_once unique (category_id, user_id)
);
create index favorites_newest_of_user on public.favorites (user_id, created_at, id);

alter table public.favorites enable row level security;
revoke all on public.favorites from public, anon, authenticated;
grant select, delete, insert (id, user_id, link_id, category_id) on public.favorites to authenticated;
grant all on public.favorites to service_role;

create policy favorites_select_own on public.favorites
  for select to authenticated using (user_id = (select auth.uid()));
-- Only what one may read, by the policies of links and categories: what is a stranger's answers like what does not exist. Whoever loses
-- a received category keeps their stars in it, which show nothing until they may read it again.
create policy favorites_insert_own on public.favorites
  for insert to authenticated with check (
    user_id = (select auth.uid())
    and (link_id is null or exists (select from public.links l where l.id = link_id))
    and (category_id is null or exists (select from public.categories c where c.id = category_id))
  );
create policy favorites_delete_own on public.favorites
  for delete to authenticated using (user_id = (select auth.uid()));
create policy favorites_of_open_account on public.favorites as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy favorites_service on public.favorites for all to service_role using (true) with check (true);

-- The technical bounds, and one more. Twin of packages/domain/src/limits.ts; a test compares the two.
create or replace function private.most(what text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select case what
    when 'folders' then 10000
    when 'folder_emails' then 100
    when 'categories' then 10000
    when 'links' then 1000000
    when 'favorites' then 1000
    when 'invitations' then 10000
    when 'undo_rows' then 100000
    when 'import_parts' then 10000
    when 'files' then 10000
    when 'file_name_bytes' then 1024
    when 'file_note_bytes' then 10000
  end
$$;

create or replace function private.refuse_beyond(what text, code text default 'P0001') returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using
    errcode = code,
    message = format(
      case what
        when 'folders' then 'Limite de %s pastas atingido'
        when 'categories' then 'Limite de %s categorias atingido'
        when 'links' then 'Limite de %s links atingido'
        when 'favorites' then 'Limite de %s favoritos atingido'
        when 'invitations' then 'Limite de %s endereços convidados atingido'
        when 'import_parts' then 'Limite de %s partes importadas em um dia atingido'
        when 'files' then 'Limite de %s arquivos atingido'
        when 'file_name_bytes' then 'O nome de um arquivo tem no máximo %s bytes'
        when 'file_note_bytes' then 'As anotações de um arquivo têm no máximo %s bytes'
      end,
      replace(to_char(private.most(what), 'FM9,999,999'), ',', '.')
    ),
    detail = json_build_object('max', private.most(what))::text,
    hint = 'bound_' || what;
end
$$;

create function private.limit_favorites() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person uuid;
  total bigint;
begin
  for person in select distinct a.user_id from added a order by a.user_id loop
    -- Of two statements racing for the last place the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    select count(*) into total from public.favorites f where f.user_id = person;
    if total > private.most('favorites') and not exists (select from private.restorations r where r.user_id = person) then
      perform private.refuse_beyond('favorites');
    end if;
  end loop;
  return null;
end
$$;

create trigger favorites_limit after insert on public.favorites
  referencing new table as added for each statement execute function private.limit_favorites();

-- A star that goes with what its person deletes lies beside it, under its id, and comes back with it. One that was taken off is not kept,
-- nor are those of the people with whom it was shared.
alter table private.deleted_rows drop constraint deleted_rows_kind_known;
alter table private.deleted_rows add constraint deleted_rows_kind_known
  check (kind in ('folder', 'category', 'share', 'link', 'favorite'));

create function private.keep_deleted_favorites() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  kept bigint;
  total bigint;
begin
  with added as (
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select i.deletion_id, 'favorite', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.user_id
    join private.deleted_rows i on i.deletion_id = d.id
      and i.kind = case when r.link_id is null then 'category' else 'link' end and i.id = coalesce(r.link_id, r.category_id)
    where d.user_id = auth.uid() and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    returning deletion_id
  )
  select min(a.deletion_id), count(*) into kept, total from added a;
  if total > 0 then
    perform private.keep_newest_deletions(kept, total);
  end if;
  return null;
end
$$;

-- Runs with every added row, and does something only where rows are given back.
create function private.restore_favorites() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
begin
  if not exists (select from private.restorations r where r.user_id = caller) then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'favorite' and r.id = any (array(select a.id from added a))
    returning r.content
  )
  insert into public.favorites
  select f.* from taken t cross join lateral jsonb_populate_record(null::public.favorites, t.content) as f
  on conflict do nothing;
  return null;
end
$$;

-- After a parent's own, so that what is starred lies in the trash when its stars come (see shared_with_keep_deleted).
create trigger favorites_keep_deleted after delete on public.favorites
  referencing old table as removed for each statement execute function private.keep_deleted_favorites();
create trigger categories_restore_favorites after insert on public.categories
  referencing new table as added for each statement execute function private.restore_favorites();
create trigger links_restore_favorites after insert on public.links
  referencing new table as added for each statement execute function private.restore_favorites();

revoke all on function private.limit_favorites(), private.keep_deleted_favorites(), private.restore_favorites() from public;

-- Other devices learn of it as of the library. A publication of all tables has it already, and takes no single one.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime' and puballtables) then
    alter publication supabase_realtime add table public.favorites;
  end if;
end
$$;
alter table public.favorites replica identity full;
