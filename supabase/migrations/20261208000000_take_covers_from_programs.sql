-- A program that may change links may give one its cover: what it saw of the page, where nobody else gets in. Of all files it writes this one
-- alone, and neither reads, lists, moves nor deletes any.

-- The name of the cover that this very request writes, where the caller may change its link; null for every other request. A person's own
-- files need no such leave.
create function private.written_cover() returns text
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  asked text[] := regexp_match(
    current_setting('request.path', true),
    '^(?:/storage/v1)?/object/arquivos/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/covers/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'
  );
begin
  if asked is null or coalesce(current_setting('request.method', true), '') not in ('POST', 'PUT')
    or asked[1]::uuid is distinct from private.writer_id() then
    return null;
  end if;
  return (select private.cover_name(l.user_id, l.id) from public.links l where l.id = asked[2]::uuid and l.user_id = asked[1]::uuid);
end
$$;

-- Whether a file is what covers are: a small picture. Before its bytes are there the storage service knows less of it, or nothing.
create function private.is_cover_file(metadata jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
as $$
  select coalesce(metadata ->> 'size', metadata ->> 'contentLength', '0')::bigint <= 131072
    and coalesce(metadata ->> 'mimetype', 'image/webp') in ('image/webp', 'image/jpeg')
$$;

revoke all on function private.written_cover(), private.is_cover_file(jsonb) from public;
-- Policies call them.
grant execute on function private.written_cover(), private.is_cover_file(jsonb) to authenticated;

alter policy objects_of_open_account on storage.objects
  using (
    (select private.is_account_open())
    or (bucket_id = 'arquivos' and name = (select private.written_cover()))
  )
  with check (
    (select private.is_account_open())
    or (bucket_id = 'arquivos' and name = (select private.written_cover()) and private.is_cover_file(metadata))
  );

-- As before, and now also for whoever may change links for a person.
create or replace function public.note_cover(link_id uuid, state text) returns timestamptz
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.writer_id();
  noted timestamptz;
begin
  if coalesce($2, '') not in ('image', 'none', 'removed') then
    raise exception using errcode = 'PT400', message = 'Capa inválida';
  end if;
  -- The link stays as long as this takes: it could go, and leave a row behind that nothing takes away.
  perform from public.links l where l.id = $1 and l.user_id = caller for key share;
  if not found then
    raise exception using errcode = 'PT404', message = 'Este link não existe mais';
  elsif $2 = 'image' and not exists (
    select from storage.objects o where o.bucket_id = 'arquivos' and o.name = private.cover_name(caller, $1)
  ) then
    raise exception using errcode = 'PT404', message = 'A imagem desta capa não existe mais';
  end if;
  insert into private.link_covers as c (link_id, user_id, state) values ($1, caller, $2)
  on conflict on constraint link_covers_pkey do update set
    user_id = excluded.user_id, state = excluded.state, tried_at = excluded.tried_at,
    leftover_since = case
      when excluded.state = 'image' then null
      when c.state in ('image', 'old') then coalesce(c.leftover_since, now())
      else c.leftover_since
    end
  returning c.tried_at into noted;
  return noted;
end
$$;
