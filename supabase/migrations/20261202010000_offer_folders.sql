-- Handing over: the owner offers a folder to somebody who may write in it, who accepts or declines. A closed account's folder may be taken
-- over by whoever manages it, as long as the account can be had back.
create table private.folder_offers (
  folder_id uuid not null,
  owner_id uuid not null,
  -- By address, as all places in folders: whether anybody has it is not for the owner to know.
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint folder_offers_pkey primary key (folder_id),
  constraint folder_offers_folder_of_owner foreign key (folder_id, owner_id)
    references public.folders (id, user_id) on delete cascade
);
create index folder_offers_of_email on private.folder_offers (email);
alter table private.folder_offers enable row level security;
revoke all on private.folder_offers from public, anon, authenticated, service_role;

-- Who may have a folder: to whom it is offered and who still may write there, and managers where the owner's account is closed.
create view private.available_folders as
  select o.folder_id, o.owner_id, m.member_id as person_id, false as is_closed
  from private.folder_offers o
  join public.folder_members m on m.folder_id = o.folder_id and m.email = o.email and m.role in ('editor', 'manager')
  where m.member_id is not null and not exists (
    select from private.account_closures c where c.user_id = o.owner_id and c.reopened_at is null
  )
  union
  select m.folder_id, m.owner_id, m.member_id, true
  from public.folder_members m
  join private.account_closures c on c.user_id = m.owner_id
  where m.role = 'manager' and m.member_id is not null and c.reason = 'deletion' and c.reopened_at is null
    and c.purge_started_at is null and c.purge_after > now();
revoke all on private.available_folders from public, anon, authenticated, service_role;

-- The screens of whom it concerns hear of it by their rows.
create function private.tell_offered() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  changed private.folder_offers := case when tg_op = 'DELETE' then old else new end;
begin
  update public.folder_members m set updated_at = clock_timestamp()
  where m.folder_id = changed.folder_id and (m.email = changed.email or tg_op = 'UPDATE' and m.email = old.email);
  return null;
end
$$;
create trigger folder_offers_tell after insert or update or delete on private.folder_offers
  for each row execute function private.tell_offered();

-- Offers one's own folder to an address on its list that may write there; the offer before it ends.
create function public.offer_folder(folder_id uuid, email text) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
begin
  perform from public.folders f where f.id = $1 and f.user_id = caller for key share;
  if not found then
    raise exception using errcode = 'PT404', message = 'Pasta não encontrada';
  elsif not exists (
    select from public.folder_members m where m.folder_id = $1 and m.email = lower(btrim($2)) and m.role in ('editor', 'manager')
  ) then
    raise exception using errcode = 'PT409', message = 'Só quem edita ou gerencia a pasta pode recebê-la';
  end if;
  insert into private.folder_offers (folder_id, owner_id, email) values ($1, caller, lower(btrim($2)))
  on conflict on constraint folder_offers_pkey do update set email = excluded.email, created_at = excluded.created_at;
end
$$;

-- Ends an offer: the owner takes it back, or whom it was made to declines.
create function public.end_folder_offer(folder_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.caller_id();
begin
  delete from private.folder_offers o
  where o.folder_id = $1 and (o.owner_id = caller or exists (
    select from private.available_folders a where a.folder_id = $1 and a.person_id = caller and not a.is_closed
  ));
end
$$;

-- To whom one's own folder is offered; null: to nobody.
create function public.folder_offer(folder_id uuid) returns text
  language sql stable
  security definer
  set search_path = ''
as $$
  select o.email from private.folder_offers o where o.folder_id = $1 and o.owner_id = private.caller_id()
$$;
comment on function public.folder_offer(uuid) is 'To whom one''s own folder is offered.';

-- What one may have, with what it would add to one's own library; why the plan has no room for it, as the refusal of take_folder would say.
create function public.available_folders()
  returns table (
    folder_id uuid, name text, owner_name text, is_closed boolean, category_count integer, link_count integer, refusal text
  )
  language sql stable
  security definer
  set search_path = ''
as $$
  select a.folder_id, f.name, p.name, a.is_closed, has.categories::integer, has.links::integer,
    case
      when not l.can_share then 'plan_sharing'
      when n.link_count + has.links > l.max_links then 'plan_limit_links'
      when n.category_count + has.categories > l.max_categories then 'plan_limit_categories'
      when has.people > l.max_folder_members then 'plan_limit_folder_members'
    end
  from private.available_folders a
  join public.folders f on f.id = a.folder_id
  join public.profiles p on p.id = a.owner_id
  join public.profiles own on own.id = a.person_id
  join private.plan_limits l on l.plan = own.plan
  join public.library_counts n on n.user_id = a.person_id
  cross join lateral (
    select (select count(*) from public.categories c where c.folder_id = f.id) as categories,
      (select coalesce(sum(k.link_count), 0) from public.categories c join public.category_counts k on k.category_id = c.id
        where c.folder_id = f.id) as links,
      -- The old owner comes in the new one's place.
      (select count(distinct m.email) from public.folder_members m where m.folder_id = f.id) as people
  ) as has
  where a.person_id = private.caller_id()
  order by f.name, f.id
$$;
comment on function public.available_folders() is 'The folders that the caller may have. Nullable: owner_name, refusal.';

revoke all on function private.tell_offered() from public;
revoke all on function public.offer_folder(uuid, text), public.end_folder_offer(uuid), public.folder_offer(uuid), public.available_folders()
  from public, anon, authenticated, service_role;
grant execute on function public.offer_folder(uuid, text), public.end_folder_offer(uuid), public.folder_offer(uuid),
  public.available_folders() to authenticated;
