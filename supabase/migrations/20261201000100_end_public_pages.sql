-- Public pages that end: from that moment a visitor is answered as about a private category. The one rule is private.category_access, which
-- every way in asks: table API, pages, previews, feeds, covers.

-- What owners say of their public pages beside is_public, which stays as it is. No foreign key: a category that is deleted and brought back
-- is as public as it was, and one that changes hands keeps its limits whatever becomes of whoever set them.
create table private.public_pages (
  category_id uuid not null,
  user_id uuid not null,
  ends_at timestamptz,
  constraint public_pages_pkey primary key (category_id)
);
create index public_pages_of_user on private.public_pages (user_id);
alter table private.public_pages enable row level security;
revoke all on private.public_pages from public, anon, authenticated, service_role;

create function private.has_page_ended(category_id uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  select exists (select from private.public_pages p where p.category_id = $1 and p.ends_at <= now())
$$;

-- Whether the caller may open the page of a category that is public.
create function private.is_page_open(category_id uuid) returns boolean
  language sql stable
  set search_path = ''
as $$
  select not private.has_page_ended($1)
$$;

-- As before; a page that has ended is public no more.
create or replace function private.category_access(category_id uuid) returns text
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  owner_id uuid;
  published boolean;
begin
  select c.user_id, c.is_public and private.is_page_open(c.id) into owner_id, published
  from public.categories c where c.id = category_access.category_id;
  if not found then
    return null;
  elsif not private.may_read_links() then
    return case
      when published then 'public'
      when exists (select from public.shared_with s where s.category_id = category_access.category_id) then 'denied'
    end;
  elsif owner_id = auth.uid() then
    return 'owner';
  elsif category_access.category_id = any (private.openable_category_ids()) then
    return 'invited';
  elsif published then
    return 'public';
  elsif category_access.category_id = any (private.invited_category_ids()) then
    return 'limited';
  elsif exists (select from public.shared_with s where s.category_id = category_access.category_id) then
    return 'denied';
  end if;
  return null;
end
$$;

-- As before. Of a page that has ended nobody is told but the people of its folder, who read it still.
create or replace function private.tell_viewers(category_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  viewed uuid;
begin
  foreach viewed in array category_ids loop
    continue when private.has_page_ended(viewed)
      and not exists (select from public.shared_with s where s.category_id = viewed)
      and not exists (
        select from public.categories c join public.folder_members m on m.folder_id = c.folder_id where c.id = viewed
      );
    perform realtime.send('{}', 'changed', 'shared:' || viewed, true);
  end loop;
end
$$;

-- Of pages that are gone for good nothing is kept.
create function private.tidy_public_pages(person uuid) returns void
  language sql
  set search_path = ''
as $$
  delete from private.public_pages p
  where p.user_id = person
    and not exists (select from public.categories c where c.id = p.category_id)
    and not exists (select from private.deleted_rows r where r.kind = 'category' and r.id = p.category_id)
$$;

create function private.forget_public_pages() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform private.tidy_public_pages(old.id);
  return null;
end
$$;
-- Deferred: the categories go after their user does.
create constraint trigger public_pages_forget_user after delete on auth.users deferrable initially deferred
  for each row execute function private.forget_public_pages();

-- Whoever publishes anew does not publish what has ended. What comes back with an account stays ended.
create function private.begin_public_page() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update private.public_pages p set ends_at = null
  where p.category_id = new.id and p.ends_at <= now()
    and not exists (select from private.restorations r where r.user_id = new.user_id);
  return null;
end
$$;
create trigger categories_begin_page after update on public.categories
  for each row when (new.is_public and not old.is_public) execute function private.begin_public_page();

-- Says when the public page of a category of the caller's ends; null: never. On a plan that does not share (any more) it may come sooner.
create function public.set_page_end(category_id uuid, ends_at timestamptz) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller constant uuid := private.caller_id();
  before timestamptz;
  is_published boolean;
begin
  select c.is_public into is_published from public.categories c where c.id = $1 and c.user_id = caller for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  elsif $2 <= now() or $2 > now() + interval '10 years' then
    raise exception using errcode = 'PT400', message = 'Escolha uma data no futuro, em até dez anos';
  end if;
  select p.ends_at into before from private.public_pages p where p.category_id = $1;
  if before is not null and ($2 is null or $2 > before) then
    perform private.require_sharing_plan(caller);
  end if;
  perform private.tidy_public_pages(caller);
  insert into private.public_pages as p (category_id, user_id, ends_at) values ($1, caller, $2)
  on conflict on constraint public_pages_pkey do update set user_id = excluded.user_id, ends_at = excluded.ends_at;
  if is_published then
    perform private.tell_viewers(array[$1]);
  end if;
end
$$;

-- What the caller has said of the public page of their category: one row, or none where it is not theirs.
create function public.page_limits(category_id uuid) returns table (ends_at timestamptz)
  language sql stable
  security definer
  set search_path = ''
as $$
  select p.ends_at from public.categories c left join private.public_pages p on p.category_id = c.id
  where c.id = $1 and c.user_id = private.caller_id()
$$;
comment on function public.page_limits(uuid) is 'What the owner has said of a public page. Nullable: ends_at.';

revoke all on function private.has_page_ended(uuid), private.is_page_open(uuid), private.tidy_public_pages(uuid), private.forget_public_pages(),
  private.begin_public_page() from public;
revoke all on function public.set_page_end(uuid, timestamptz), public.page_limits(uuid) from public, anon, authenticated, service_role;
grant execute on function public.set_page_end(uuid, timestamptz), public.page_limits(uuid) to authenticated;
