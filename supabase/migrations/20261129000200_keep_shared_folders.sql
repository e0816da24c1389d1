-- What becomes of shared folders: members go to the bin and come back with the folder; what a member deletes lies in the owner's bin, and
-- the member may take it back; a closed account's name and address go from everybody's rows.

alter table private.deletions
  -- Who deleted it, where it was not its owner.
  add column deleted_by uuid;
create index deletions_by_others on private.deletions (deleted_by) where deleted_by is not null;

alter table private.deleted_rows drop constraint deleted_rows_kind_known;
alter table private.deleted_rows add constraint deleted_rows_kind_known
  check (kind in ('folder', 'category', 'share', 'link', 'favorite', 'look', 'order', 'tags', 'member'));
drop index private.deleted_rows_of_email;
create index deleted_rows_of_email on private.deleted_rows ((content ->> 'email')) where kind in ('share', 'member');
create index deleted_rows_added_by on private.deleted_rows ((content ->> 'added_by'))
  where kind = 'link' and content ->> 'added_by' is not null;

-- Keeps what people delete, in the bin of whoever owned it; what the platform deletes (an account, say) is gone. Towards the bound of the
-- bin a row counts as one, and as one more for every thousand bytes in it.
create or replace function private.keep_deleted() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := auth.uid();
  owner uuid;
  kept bigint;
  total bigint;
  weight bigint;
  place uuid;
begin
  if caller is null then
    return null;
  end if;
  for owner in select distinct r.user_id from removed r order by r.user_id loop
    select count(*) into total from removed where user_id = owner;
    if tg_table_name = 'links' then
      select sum(1 + private.link_bytes(r::public.links) / 1000) into weight from removed r where r.user_id = owner;
      select r.category_id into place from removed r where r.user_id = owner limit 1;
      kept := private.open_deletion(owner, total, 0, null, place);
      insert into private.deleted_rows (deletion_id, kind, id, parent_id, content)
      select kept, 'link', r.id, r.category_id, to_jsonb(r) from removed r where r.user_id = owner and kept is not null;
    elsif tg_table_name = 'categories' then
      select sum(1 + private.category_bytes(r::public.categories) / 1000) into weight from removed r where r.user_id = owner;
      select r.folder_id into place from removed r where r.user_id = owner limit 1;
      kept := private.open_deletion(owner, 0, total, place, null);
      insert into private.deleted_rows (deletion_id, kind, id, parent_id, content)
      select kept, 'category', r.id, r.folder_id, to_jsonb(r) from removed r where r.user_id = owner and kept is not null;
    else
      select sum(1 + private.folder_bytes(r::public.folders) / 1000) into weight from removed r where r.user_id = owner;
      kept := private.open_deletion(owner, 0, 0, null, null);
      insert into private.deleted_rows (deletion_id, kind, id, content)
      select kept, 'folder', r.id, to_jsonb(r) from removed r where r.user_id = owner and kept is not null;
    end if;
    continue when kept is null;
    if owner <> caller then
      update private.deletions d set deleted_by = caller where d.id = kept;
    end if;
    perform private.keep_newest_deletions(kept, weight);
    -- Twice as many as came in: what has expired becomes less with every deletion.
    perform private.purge_deletions(least(2 * total, 100000)::integer + 100);
  end loop;
  return null;
end
$$;

-- Members that went with their folder. Those that were removed or left one by one are not kept.
create function private.keep_deleted_members() returns trigger
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
    select i.deletion_id, 'member', i.id, to_jsonb(r)
    from removed r
    join private.deletions d on d.user_id = r.owner_id
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

-- Runs with every added folder, and does something only where folders are given back. Who has an account by now is looked up anew.
create function private.restore_members() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := (select r.user_id from private.restorations r limit 1);
begin
  if caller is null then
    return null;
  end if;
  with taken as (
    delete from private.deleted_rows r using private.deletions d
    where d.user_id = caller and r.deletion_id = d.id and r.kind = 'member' and r.id = any (array(select a.id from added a))
    returning r.deletion_id, r.content
  )
  insert into public.folder_members (id, folder_id, owner_id, email, role, invited_by, created_at)
  select m.id, m.folder_id, m.owner_id, m.email, m.role, p.id, m.created_at
  from taken t
  cross join lateral jsonb_populate_record(null::public.folder_members, t.content) as m
  left join public.profiles p on p.id = m.invited_by
  -- Of a folder that was deleted more than once the newest.
  order by t.deletion_id desc
  on conflict do nothing;
  return null;
end
$$;

-- After a folder's own, so that it lies in the bin when its members come (see shared_with_keep_deleted).
create trigger folder_members_keep_deleted after delete on public.folder_members
  referencing old table as removed for each statement execute function private.keep_deleted_members();
create trigger folders_restore_members after insert on public.folders
  referencing new table as added for each statement execute function private.restore_members();

-- What goes and comes with a link is the owner's, whoever deletes it and takes it back. A row of restorations lives inside the one call
-- that wrote it, so there is one at most that this transaction sees.
do $$
declare
  changed record;
  definition text;
begin
  for changed in
    select w.*
    from (values
      ('keep_deleted_favorites', 'd.user_id = auth.uid() and ', ''),
      ('keep_deleted_order', 'd.user_id = auth.uid() and ', ''),
      ('restore_favorites', 'caller uuid := auth.uid();', 'caller uuid := (select r.user_id from private.restorations r limit 1);'),
      ('restore_order', 'caller uuid := auth.uid();', 'caller uuid := (select r.user_id from private.restorations r limit 1);'),
      ('restore_tags', 'caller uuid := auth.uid();', 'caller uuid := (select r.user_id from private.restorations r limit 1);'),
      ('restore_covers', 'from private.restorations r where r.user_id = auth.uid()', 'from private.restorations r')
    ) as w(name, asks, instead)
  loop
    definition := pg_catalog.pg_get_functiondef(to_regprocedure('private.' || changed.name || '()'));
    if definition is null or position(changed.asks in definition) = 0 then
      raise exception '% does not ask %', changed.name, changed.asks;
    end if;
    execute replace(definition, changed.asks, changed.instead);
  end loop;
end
$$;

-- As before, of every owner whose links went.
create or replace function private.keep_deleted_tags() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  -- Nobody has analysed what has just gone: joined by hash the cost stays in proportion.
  set enable_nestloop = off
as $$
declare
  kept bigint;
  total bigint;
begin
  for kept in
    select d.id from private.deletions d
    where d.user_id = any (array(select distinct r.user_id from removed r))
      and d.transaction_id = pg_current_xact_id() and d.deleted_at = now()
    order by d.id
  loop
    insert into private.deleted_rows (deletion_id, kind, id, content)
    select kept, 'tags', i.id, jsonb_build_object('tag_ids', jsonb_agg(r.tag_id))
    from removed r join private.deleted_rows i on i.deletion_id = kept and i.kind = 'link' and i.id = r.link_id
    group by i.id;
    get diagnostics total = row_count;
    if total > 0 then
      perform private.keep_newest_deletions(kept, total);
    end if;
  end loop;
  return null;
end
$$;

-- The newest deletion of each id that is in the caller's bin, once; and links that the caller deleted in somebody's folder, as long as
-- they may write there.
create or replace function public.undo_deletion(item_type text, item_ids uuid[]) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  caller uuid := private.writer_id();
  restored jsonb;
  more jsonb;
  others record;
begin
  if item_type is null or item_type not in ('folder', 'category', 'link') then
    raise exception using errcode = 'PT400', message = 'Tipo de item desconhecido';
  elsif cardinality(item_ids) > 20000 then
    raise exception using errcode = 'PT400', message = 'No máximo 20.000 itens por vez';
  end if;
  restored := private.give_back(caller, item_type, item_ids, null, null);
  if item_type <> 'link' then
    return restored;
  end if;
  for others in
    select d.user_id, array_agg(distinct r.id) as ids
    from private.deletions d
    join private.deleted_rows r on r.deletion_id = d.id and r.kind = 'link' and r.id = any (item_ids)
    where d.deleted_by = caller and d.purge_after > now() and r.parent_id = any (private.writable_category_ids())
    group by d.user_id order by d.user_id
  loop
    more := private.give_back(others.user_id, item_type, others.ids, null, null);
    restored := restored || jsonb_build_object('links', (restored ->> 'links')::integer + (more ->> 'links')::integer);
  end loop;
  return restored;
end
$$;

-- As before. What the person added to others' folders stays there without their name, and their places in folders end.
create or replace function private.forget_person(user_id uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  address text := (select lower(u.email) from auth.users u where u.id = $1);
begin
  delete from public.shared_with s where s.email = address;
  delete from public.folder_members m where m.email = address or m.member_id = $1;
  delete from private.deleted_rows r where r.kind in ('share', 'member') and r.content ->> 'email' = address;
  update public.links l set added_by = null, added_by_name = null where l.added_by = $1;
  update private.deleted_rows r set content = r.content - 'added_by' - 'added_by_name'
  where r.kind = 'link' and r.content ->> 'added_by' is not null and r.content ->> 'added_by' = $1::text;
  update private.deletions d set deleted_by = null where d.deleted_by = $1;
  delete from private.share_notifications n where n.email = address;
  delete from private.share_mail_addresses a where a.email = address and a.unsubscribed_at is null;
  delete from private.account_mails m where m.user_id = $1;
  delete from private.stripe_events e
  using public.subscribers s where s.user_id = $1 and e.customer = s.stripe_customer_id;
  delete from auth.sessions s where s.user_id = $1;
  delete from auth.identities i where i.user_id = $1;
  delete from auth.one_time_tokens t where t.user_id = $1;
  delete from auth.mfa_factors f where f.user_id = $1;
  delete from auth.flow_state f where f.user_id = $1;
  delete from auth.audit_log_entries a where a.payload ->> 'actor_id' = $1::text;
  update auth.users u
  set email = null, encrypted_password = '', phone = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}',
    email_change = '', deleted_at = now()
  where u.id = $1;
  update public.profiles p set name = null where p.id = $1;
end
$$;

-- Members' addresses take room as invited ones do, and the copy of one's account has those that are in the bin.
do $$
declare
  changed record;
  definition text;
begin
  for changed in
    select w.*
    from (values
      ('private.storage_used(uuid[])',
        'select sum(24 + octet_length(s.email)) as bytes
      from public.categories c join public.shared_with s on s.category_id = c.id
      where c.user_id = o.id',
        'select (select coalesce(sum(24 + octet_length(s.email)), 0)
        from public.categories c join public.shared_with s on s.category_id = c.id where c.user_id = o.id)
        + (select coalesce(sum(56 + octet_length(m.email)), 0) from public.folder_members m where m.owner_id = o.id) as bytes'),
      ('private.total_storage_used()',
        'coalesce((select sum(24 + octet_length(s.email)) from public.shared_with s), 0)',
        'coalesce((select sum(24 + octet_length(s.email)) from public.shared_with s), 0)
    + coalesce((select sum(56 + octet_length(m.email)) from public.folder_members m), 0)'),
      ('private.written_since(date)',
        'from public.shared_with s where s.created_at >= beginning group by 1;',
        'from public.shared_with s where s.created_at >= beginning group by 1;
  return query
    select private.brasilia_day(m.created_at), 0::bigint, sum(56 + octet_length(m.email))::numeric
    from public.folder_members m where m.created_at >= beginning group by 1;'),
      ('public.list_bin_rows(bigint, text, uuid, integer)',
        'when ''folder'' then jsonb_build_object(',
        'when ''folder'' then jsonb_build_object(''folder_members'', coalesce(
          (
            select jsonb_agg(jsonb_build_object(
              ''email'', m.content ->> ''email'', ''role'', m.content ->> ''role'', ''created_at'', m.content ->> ''created_at''
            ))
            from private.deleted_rows m where m.deletion_id = d.id and m.kind = ''member'' and m.id = r.id
          ), ''[]''
        ), ')
    ) as w(name, counts, instead)
  loop
    definition := pg_catalog.pg_get_functiondef(to_regprocedure(changed.name));
    if definition is null or position(changed.counts in definition) = 0 then
      raise exception '% does not count %', changed.name, changed.counts;
    end if;
    execute replace(definition, changed.counts, changed.instead);
  end loop;
end
$$;

revoke all on function private.keep_deleted_members(), private.restore_members() from public;
