-- How a person wants a folder to look: a colour of the palette, an emoji, or both. Without a row, or without a colour in it, the colour
-- follows from the folder's id. A table of its own: the columns of folders are specified, and what others are given of a category says
-- nothing of it. Each folder has one at most, so the bound of folders bounds these.
create table public.folder_looks (
  folder_id uuid not null,
  user_id uuid not null default auth.uid(),
  color text,
  emoji text,
  constraint folder_looks_pkey primary key (folder_id),
  constraint folder_looks_folder_id_fkey foreign key (folder_id) references public.folders (id) on delete cascade,
  constraint folder_looks_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  -- Twin of FOLDER_COLORS in packages/domain/src/folder-look.ts, as the next two are of pickEmoji in emoji.ts beside it; a test compares them.
  constraint folder_looks_color_known
    check (color in ('red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink')),
  -- Symbols alone, with what joins and varies them: no letter, no space, no control character, nothing that turns the writing direction.
  -- A digit, '#' or '*' only as part of a keycap.
  constraint folder_looks_emoji_made_of_symbols check (
    emoji ~ '^[\u00a9\u00ae\u200d\u203c\u2049\u20e3\u2100-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f#*0-9]{1,16}$'
  ),
  constraint folder_looks_emoji_visible
    check (emoji ~ '[\u00a9\u00ae\u203c\u2049\u20e3\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]')
);
create index folder_looks_of_user on public.folder_looks (user_id);

alter table public.folder_looks enable row level security;
revoke all on public.folder_looks from public, anon, authenticated;
-- Saving is one upsert, which names every column that it was given. Back to automatic is a row without a colour.
grant select, insert (folder_id, user_id, color, emoji), update (folder_id, user_id, color, emoji)
  on public.folder_looks to authenticated;
grant all on public.folder_looks to service_role;

create policy folder_looks_select_own on public.folder_looks
  for select to authenticated using (user_id = (select auth.uid()));
-- A stranger's folder answers like one that does not exist.
create policy folder_looks_insert_own on public.folder_looks
  for insert to authenticated with check (
    user_id = (select auth.uid())
    and exists (select from public.folders f where f.id = folder_id and f.user_id = (select auth.uid()))
  );
create policy folder_looks_update_own on public.folder_looks
  for update to authenticated using (user_id = (select auth.uid())) with check (
    user_id = (select auth.uid())
    and exists (select from public.folders f where f.id = folder_id and f.user_id = (select auth.uid()))
  );
create policy folder_looks_of_open_account on public.folder_looks as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy folder_looks_service on public.folder_looks for all to service_role using (true) with check (true);

-- The look of a folder that its person deletes lies beside it, under its id, and comes back with it.
alter table private.deleted_rows drop constraint deleted_rows_kind_known;
alter table private.deleted_rows add constraint deleted_rows_kind_known
  check (kind in ('folder', 'category', 'share', 'link', 'favorite', 'look'));

create function private.keep_deleted_looks() returns trigger
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
    select i.deletion_id, 'look', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.user_id
    join private.deleted_rows i on i.deletion_id = d.id and i.kind = 'folder' and i.id = r.folder_id
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

-- Runs with every added folder, and does something only where folders are given back.
create function private.restore_looks() returns trigger
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
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'look' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into public.folder_looks
  select l.* from taken t cross join lateral jsonb_populate_record(null::public.folder_looks, t.content) as l
  -- Of a folder that was deleted more than once the newest.
  order by t.deletion_id desc
  on conflict do nothing;
  return null;
end
$$;

-- After a folder's own, so that it lies in the bin when its look comes (see shared_with_keep_deleted).
create trigger folder_looks_keep_deleted after delete on public.folder_looks
  referencing old table as removed for each statement execute function private.keep_deleted_looks();
create trigger folders_restore_looks after insert on public.folders
  referencing new table as added for each statement execute function private.restore_looks();

revoke all on function private.keep_deleted_looks(), private.restore_looks() from public;

-- What is in the bin, row by row, for the copy of one's account: as it was, a category with whom it was shared with, a folder with its look.
create or replace function public.list_bin_rows(
  after_deletion bigint default 0, after_kind text default '', after_id uuid default null, max integer default 1000
)
  returns table (deletion_id bigint, kind text, id uuid, content jsonb, deleted_at timestamptz, purge_after timestamptz)
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.caller_id();
  left_over integer := least(greatest(coalesce(max, 1000), 0), 1000);
  found_rows integer;
  d private.deletions;
begin
  for d in
    select o.* from private.deletions o
    where o.user_id = caller and o.purge_after > now() and o.id >= after_deletion
    order by o.id
  loop
    exit when left_over = 0;
    return query
      select d.id, r.kind, r.id, r.content || case r.kind
        when 'category' then jsonb_build_object('shared_with', coalesce(
          (
            select jsonb_agg(jsonb_build_object('email', s.content ->> 'email', 'created_at', s.content ->> 'created_at'))
            from private.deleted_rows s where s.deletion_id = d.id and s.kind = 'share' and s.id = r.id
          ), '[]'
        ))
        when 'folder' then jsonb_build_object('folder_looks', (
          select jsonb_build_object('color', k.content ->> 'color', 'emoji', k.content ->> 'emoji')
          from private.deleted_rows k where k.deletion_id = d.id and k.kind = 'look' and k.id = r.id limit 1
        ))
        else '{}'
      end, d.deleted_at, d.purge_after
      from private.deleted_rows r
      where r.deletion_id = d.id and r.kind in ('folder', 'category', 'link')
        and (d.id > after_deletion or (r.kind, r.id) > (after_kind, after_id))
      order by r.kind, r.id
      limit left_over;
    get diagnostics found_rows = row_count;
    left_over := left_over - found_rows;
  end loop;
end
$$;

-- Other devices learn of it as of the library. A publication of all tables has it already, and takes no single one.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime' and puballtables) then
    alter publication supabase_realtime add table public.folder_looks;
  end if;
end
$$;
alter table public.folder_looks replica identity full;
