-- Covers: the own image of the page that a link leads to, scaled once by the browser of the link's owner and kept in their folder of the
-- bucket, one file a link (ID/covers/LINK). Which links have one is told here, apart from them: their rows stay as narrow as the search and
-- the lists want them. No request role reads or writes the table; three functions do.
create table private.link_covers (
  link_id uuid not null,
  user_id uuid not null,
  -- 'image': the file is there. 'none': the page had nothing to show. 'removed': its owner wants none. 'old': the link led elsewhere then.
  state text not null,
  tried_at timestamptz not null default now(),
  -- Since when a file may lie there that nothing shows any more. Links are no foreign key: the row outlives one that may come back.
  leftover_since timestamptz,
  constraint link_covers_pkey primary key (link_id),
  constraint link_covers_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint link_covers_state_known check (state in ('image', 'none', 'removed', 'old'))
);
create index link_covers_of_user on private.link_covers (user_id);
create index link_covers_left_over on private.link_covers (leftover_since) where leftover_since is not null;

-- The name of a link's file in the bucket.
create function private.cover_name(user_id uuid, link_id uuid) returns text
  language sql immutable parallel safe
  set search_path = ''
as $$ select user_id::text || '/covers/' || link_id::text $$;

-- What is known of the covers of these links of a category, to whoever may see its links: by its address alone, as they are. A link that is
-- not among the answers was never asked about.
create function public.category_covers(category_id uuid, link_ids uuid[])
  returns table (link_id uuid, state text, path text, tried_at timestamptz)
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
begin
  -- As many as one answer has rows.
  if array_length(link_ids, 1) > 1000 then
    raise exception using errcode = 'PT400', message = 'No máximo 1.000 links por vez';
  elsif coalesce(private.category_access($1), 'denied') not in ('owner', 'invited', 'public') then
    return;
  end if;
  return query
    select c.link_id, c.state, case when c.state = 'image' then private.cover_name(c.user_id, c.link_id) end, c.tried_at
    from private.link_covers c join public.links l on l.id = c.link_id and l.user_id = c.user_id
    where c.link_id = any ($2) and l.category_id = $1 and c.state <> 'old' and (c.state <> 'image' or c.leftover_since is null);
end
$$;

-- Notes what came of asking for a link's cover. A link of somebody else answers like one that does not exist, and an image counts only
-- where the file is there.
create function public.note_cover(link_id uuid, state text) returns timestamptz
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
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

-- With a link goes what is known of its cover; a file stays for a day beside it, so that undoing a deletion brings it back.
create function private.leave_covers() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from private.link_covers c using removed r
  where c.link_id = r.id and c.state in ('none', 'removed') and c.leftover_since is null;
  update private.link_covers c set leftover_since = now() from removed r
  where c.link_id = r.id and c.leftover_since is null;
  return null;
end
$$;
create trigger links_leave_covers after delete on public.links
  referencing old table as removed for each statement execute function private.leave_covers();

-- Runs with every added link, and does something only where links are given back. One whose file is gone by now is asked about again.
create function private.restore_covers() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if exists (select from private.restorations r where r.user_id = auth.uid()) then
    update private.link_covers c set leftover_since = null from added a
    where c.link_id = a.id and c.user_id = a.user_id and c.state = 'image';
  end if;
  return null;
end
$$;
create trigger links_restore_covers after insert on public.links
  referencing new table as added for each statement execute function private.restore_covers();

-- A link that leads elsewhere has the cover of another page.
create function private.outdate_cover() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update private.link_covers c set state = 'old', leftover_since = coalesce(c.leftover_since, now()) where c.link_id = new.id;
  return null;
end
$$;
create trigger links_outdate_cover after update of url on public.links
  for each row when (old.url is distinct from new.url) execute function private.outdate_cover();

-- Files that nothing has shown for a day, for the service to delete, whose bytes they are. Of those that it has deleted nothing is kept.
create function public.list_leftover_covers(max integer default 200) returns table (name text)
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  at_most integer := least(greatest(coalesce(max, 200), 1), 1000);
begin
  with gone as (
    select c.link_id from private.link_covers c
    where c.leftover_since < now() - interval '1 day' and not exists (
      select from storage.objects o where o.bucket_id = 'arquivos' and o.name = private.cover_name(c.user_id, c.link_id)
    )
    order by c.leftover_since
    limit 10 * at_most
    for update skip locked
  ), kept as (
    update private.link_covers c set leftover_since = null
    from gone g where c.link_id = g.link_id and c.state in ('none', 'removed')
      and exists (select from public.links l where l.id = c.link_id)
    returning c.link_id
  )
  delete from private.link_covers c using gone g
  where c.link_id = g.link_id and not (
    c.state in ('none', 'removed') and exists (select from public.links l where l.id = c.link_id)
  );
  return query
    select o.name from (
      select c.user_id, c.link_id from private.link_covers c
      where c.leftover_since < now() - interval '1 day'
      order by c.leftover_since
      limit at_most
    ) as c
    join storage.objects o on o.bucket_id = 'arquivos' and o.name = private.cover_name(c.user_id, c.link_id);
end
$$;

-- The name of the cover that this very request asks the storage service for, where the caller may see it: its link is in a category of
-- theirs, one they were invited to, or a public one. Null for every other request. A list names no file, nor does a signed address that
-- somebody wants to pass on: what is public is seen by who knows the address of its category, and can be counted or kept by nobody.
create function private.asked_cover() returns text
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  asked text[] := regexp_match(
    current_setting('request.path', true),
    '/object/(?:authenticated/)?arquivos/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/covers/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$'
  );
  of_category uuid;
begin
  if asked is null then
    return null;
  end if;
  select l.category_id into of_category
  from private.link_covers c join public.links l on l.id = c.link_id and l.user_id = c.user_id
  where c.link_id = asked[2]::uuid and c.user_id = asked[1]::uuid and c.state = 'image' and c.leftover_since is null;
  if private.category_access(of_category) in ('owner', 'invited', 'public') then
    return private.cover_name(asked[1]::uuid, asked[2]::uuid);
  end if;
  return null;
end
$$;

revoke all on private.link_covers from public, anon, authenticated, service_role;
revoke all on function
  private.cover_name(uuid, uuid), private.leave_covers(), private.restore_covers(), private.outdate_cover(), private.asked_cover()
  from public;
revoke all on function public.category_covers(uuid, uuid[]), public.note_cover(uuid, text), public.list_leftover_covers(integer)
  from public, anon, authenticated, service_role;
grant execute on function public.category_covers(uuid, uuid[]) to anon, authenticated;
grant execute on function public.note_cover(uuid, text) to authenticated;
grant execute on function public.list_leftover_covers(integer) to service_role;
-- Policies call it.
grant execute on function private.asked_cover() to anon, authenticated;

-- As before one range, which the index follows: the caller's own folder, or the one cover that is asked for.
alter policy files_select_own on storage.objects
  using (
    bucket_id = 'arquivos'
    and name collate "C" >= (select coalesce(private.asked_cover(), auth.uid()::text || '/'))
    and name collate "C" < (select coalesce(private.asked_cover() || '!', auth.uid()::text || '0'))
  );
create policy files_select_asked_cover on storage.objects for select to anon
  using (bucket_id = 'arquivos' and name = (select private.asked_cover()));
