-- What open_inbox and capture_link do, for a person who is named: a mail saves links the same way, and nobody is signed in then.

-- A person's inbox, made now where there is none.
create function private.open_inbox_of(person uuid) returns uuid
  language plpgsql
  set search_path = ''
as $$
declare
  inbox uuid;
  folder uuid;
begin
  -- A lock of its own: whoever held the counters here and waited for a folder of the same name could be waited for in a circle.
  perform pg_advisory_xact_lock(hashtextextended('inbox of ' || person::text, 0));
  select c.id into inbox
  from public.inboxes i join public.categories c on c.id = i.category_id and c.user_id = person
  where i.user_id = person;
  if found then
    return inbox;
  end if;
  insert into public.folders (name, user_id) values ('Minha biblioteca', person)
  on conflict on constraint folders_name_unique_per_user do nothing;
  select f.id into folder from public.folders f where f.user_id = person and f.name = 'Minha biblioteca';
  insert into public.categories (name, folder_id, user_id) values ('Entrada', folder, person) returning id into inbox;
  insert into public.inboxes (user_id, category_id) values (person, inbox)
  on conflict on constraint inboxes_pkey do update set category_id = excluded.category_id;
  return inbox;
end
$$;

-- Saves a person's link once under its id. Returns the category in which it is; null where it has been deleted since.
create function private.capture_link_of(
  person uuid,
  id uuid,
  url text,
  title text,
  description text,
  category_id uuid
)
  returns uuid
  language plpgsql
  set search_path = ''
as $$
#variable_conflict use_column
declare
  place uuid;
begin
  select l.category_id into place from public.links l where l.id = $2 and l.user_id = person;
  if found then
    return place;
  end if;
  if exists (
    select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
    where d.user_id = person and r.kind = 'link' and r.id = $2
  ) then
    return null;
  end if;
  place := coalesce($6, private.open_inbox_of(person));
  -- Somebody else's category answers like one that does not exist.
  if not exists (select from public.categories c where c.id = place and c.user_id = person) then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  insert into public.links (id, url, title, description, category_id, user_id) values ($2, $3, $4, $5, place, person);
  return place;
exception when foreign_key_violation then
  -- It went while the link was being saved.
  raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
end
$$;

revoke all on function private.open_inbox_of(uuid), private.capture_link_of(uuid, uuid, text, text, text, uuid) from public;

create or replace function public.open_inbox() returns uuid
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.writer_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  return private.open_inbox_of(caller);
end
$$;

create or replace function public.capture_link(
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
declare
  caller uuid := private.writer_id();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  return private.capture_link_of(caller, $1, $2, $3, $4, $5);
end
$$;
