-- A capture goes into a category of somebody's shared folder, where the caller may write there. As through the tables it becomes the
-- owner's (private.add_link_as_member): their plan, their counters, their bin.

-- As before. For a mail nobody is signed in: it saves into the person's own categories alone.
create or replace function private.capture_link_of(
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
  adder uuid;
begin
  select l.category_id, nullif(l.added_by, l.user_id) into place, adder
  from public.links l where l.id = $2 and (l.user_id = person or l.added_by = person);
  if found then
    -- What the person added to another's folder counts as saved, also where its owner has put it away since: where, is not told then.
    return case when adder is distinct from person or place = any (private.invited_category_ids()) then place end;
  end if;
  if exists (
    select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id
    where d.user_id = person and r.kind = 'link' and r.id = $2
  ) or exists (
    select from private.deleted_rows r
    where r.kind = 'link' and r.content ->> 'added_by' is not null and r.content ->> 'added_by' = person::text and r.id = $2
  ) then
    return null;
  end if;
  place := coalesce($6, private.open_inbox_of(person));
  -- A category in which the person may not write answers like one that does not exist.
  if not exists (
    select from public.categories c
    where c.id = place and (c.user_id = person or person = auth.uid() and c.id = any (private.writable_category_ids()))
  ) then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  insert into public.links (id, url, title, description, category_id, user_id) values ($2, $3, $4, $5, place, person);
  return place;
exception when foreign_key_violation then
  -- It went, or was closed to the person, while the link was being saved.
  raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
end
$$;
