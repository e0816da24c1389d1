-- The category that a person saves into without choosing one: 'Entrada'. It is a category like any other, made when it is
-- first needed in the folder where a library begins, and known by its id: whatever it is called and wherever it is moved, it stays the inbox.
create table public.inboxes (
  user_id uuid not null,
  -- No foreign key: one that was deleted and is brought back under its id is the inbox again, unless another was made since.
  category_id uuid not null,
  constraint inboxes_pkey primary key (user_id),
  constraint inboxes_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade
);

alter table public.inboxes enable row level security;
revoke all on public.inboxes from public, anon, authenticated;
-- Written by open_inbox alone.
grant select on public.inboxes to authenticated;
grant all on public.inboxes to service_role;

create policy inboxes_select_own on public.inboxes
  for select to authenticated using (user_id = (select auth.uid()));
create policy inboxes_of_open_account on public.inboxes as restrictive
  for all to authenticated using ((select private.may_read_links()));
create policy inboxes_service on public.inboxes for all to service_role using (true) with check (true);

-- Whether a category is its reader's inbox, to be asked for with the category. Who was invited to it does not learn of it.
create function public.is_inbox(category public.categories) returns boolean
  language sql stable
  set search_path = ''
as $$ select exists (select from public.inboxes i where i.category_id = category.id and i.user_id = category.user_id) $$;

-- The caller's inbox, made now where there is none: two devices that ask at the same moment get the same.
create function public.open_inbox() returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.writer_id();
  inbox uuid;
  folder uuid;
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  -- A lock of its own: whoever held the counters here and waited for a folder of the same name could be waited for in a circle.
  perform pg_advisory_xact_lock(hashtextextended('inbox of ' || caller::text, 0));
  select c.id into inbox
  from public.inboxes i join public.categories c on c.id = i.category_id and c.user_id = caller
  where i.user_id = caller;
  if found then
    return inbox;
  end if;
  insert into public.folders (name, user_id) values ('Minha biblioteca', caller)
  on conflict on constraint folders_name_unique_per_user do nothing;
  select f.id into folder from public.folders f where f.user_id = caller and f.name = 'Minha biblioteca';
  insert into public.categories (name, folder_id, user_id) values ('Entrada', folder, caller) returning id into inbox;
  insert into public.inboxes (user_id, category_id) values (caller, inbox)
  on conflict on constraint inboxes_pkey do update set category_id = excluded.category_id;
  return inbox;
end
$$;

-- Saves a link under an id that its client made, once, however often it is sent: into the category named, else into the inbox. Returns
-- the category in which it is; null where it was saved before and has been deleted since.
create function public.capture_link(
  id uuid,
  url text,
  title text,
  description text default null,
  category_id uuid default null
)
  returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.writer_id();
  place uuid;
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  select l.category_id into place from public.links l where l.id = $1 and l.user_id = caller;
  if found then
    return place;
  end if;
  if exists (
    select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
    where d.user_id = caller and r.kind = 'link' and r.id = $1
  ) then
    return null;
  end if;
  place := coalesce($5, public.open_inbox());
  -- Somebody else's category answers like one that does not exist.
  if not exists (select from public.categories c where c.id = place and c.user_id = caller) then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  insert into public.links (id, url, title, description, category_id, user_id) values ($1, $2, $3, $4, place, caller);
  return place;
exception when foreign_key_violation then
  -- It went while the link was being saved.
  raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
end
$$;

revoke all on function public.is_inbox(public.categories), public.open_inbox(),
  public.capture_link(uuid, text, text, text, uuid) from public, anon, authenticated, service_role;
grant execute on function public.is_inbox(public.categories), public.open_inbox(),
  public.capture_link(uuid, text, text, text, uuid) to authenticated;

-- Read by packages/database-types: the catalogue does not know which fields of an answer may be null.
comment on function public.capture_link(uuid, text, text, text, uuid) is
  'The category in which a link is that was sent to be saved. Nullable.';
