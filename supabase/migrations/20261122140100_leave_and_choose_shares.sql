-- Whoever a category is shared with did not ask for it: they may leave, and what they left does not come back by itself. Where the
-- plan opens only one, they choose which; until they do it is the earliest.

create table private.left_shares (
  user_id uuid not null,
  -- No foreign key: a category that is deleted and brought back is the one that was left.
  category_id uuid not null,
  -- When it had been shared: whoever comes back at once has their old place among the others.
  shared_at timestamptz not null,
  left_at timestamptz not null default now(),
  constraint left_shares_pkey primary key (user_id, category_id),
  constraint left_shares_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade
);

-- The one that a person wants opened first. It counts for nothing where it is not shared with them (any more).
create table private.chosen_shares (
  user_id uuid not null,
  category_id uuid not null,
  constraint chosen_shares_pkey primary key (user_id),
  constraint chosen_shares_user_id_fkey foreign key (user_id) references public.profiles (id) on delete cascade
);
alter table private.left_shares enable row level security;
alter table private.chosen_shares enable row level security;
revoke all on private.left_shares, private.chosen_shares from public, anon, authenticated, service_role;

-- As before, and what the person chose comes first.
create or replace function private.openable_category_ids() returns uuid[]
  language sql stable
  security definer
  set search_path = ''
as $$
  select coalesce(array_agg(category_id), '{}')
  from (
    select s.category_id
    from public.shared_with s
    where s.email = lower(auth.email())
    order by s.category_id = (select c.category_id from private.chosen_shares c where c.user_id = auth.uid()) desc nulls last,
      s.created_at, s.category_id
    limit coalesce(
      (select coalesce(l.max_received_shares, 2147483647)
       from public.profiles p join private.plan_limits l on l.plan = p.plan where p.id = auth.uid()),
      (select max_received_shares from private.plan_limits where plan = 'free')
    )
  ) as openable
$$;
comment on function private.openable_category_ids() is
  'realtime: reads public.shared_with, private.chosen_shares, public.profiles, private.plan_limits';
alter publication linkoteca_policy_sources add table private.chosen_shares;

create function public.open_share(category_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  insert into private.chosen_shares (user_id, category_id)
  select private.caller_id(), s.category_id from public.shared_with s
  where s.category_id = $1 and s.email = lower(auth.email()) and private.caller_id() is not null
  on conflict on constraint chosen_shares_pkey do update set category_id = excluded.category_id;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
end
$$;

-- The one that the caller chose, as long as it is shared with them.
create function public.opened_share() returns uuid
  language sql stable
  security definer
  set search_path = ''
as $$
  select c.category_id
  from private.chosen_shares c
  join public.shared_with s on s.category_id = c.category_id and s.email = lower(auth.email())
  where c.user_id = private.caller_id()
$$;
comment on function public.opened_share() is 'Which of the categories shared with the caller they want opened. Nullable.';

create function public.leave_share(category_id uuid) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  -- As whoever saves the list does: one after the other. Nobody holds what is not shared with them.
  perform from public.categories c
  where c.id = $1 and c.id = any (private.invited_category_ids()) for no key update;
  delete from private.left_shares l
  where l.user_id = private.caller_id() and l.left_at < now() - interval '1 day'
    and not exists (select from public.categories c where c.id = l.category_id);
  with gone as (
    delete from public.shared_with s
    where s.category_id = $1 and s.email = lower(auth.email()) and private.caller_id() is not null
    returning s.created_at
  )
  insert into private.left_shares (user_id, category_id, shared_at)
  select private.caller_id(), $1, g.created_at from gone g
  on conflict on constraint left_shares_pkey do update set shared_at = excluded.shared_at, left_at = now();
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
end
$$;

-- Whether the caller left this category, for its page.
create function public.has_left_share(category_id uuid) returns boolean
  language sql stable
  security definer
  set search_path = ''
as $$
  select exists (select from private.left_shares l where l.user_id = private.caller_id() and l.category_id = $1)
$$;

-- Takes it back: at once the category is open again (true). Later the owner may invite again, and has to (false): they may have
-- thought better of it.
create function public.return_to_share(category_id uuid) returns boolean
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  place private.left_shares;
begin
  perform from public.categories c where c.id = $1 and public.has_left_share($1) for no key update;
  delete from private.left_shares l where l.user_id = private.caller_id() and l.category_id = $1 returning * into place;
  if not found then
    raise exception using errcode = 'PT404', message = 'Categoria não encontrada';
  end if;
  insert into public.shared_with (category_id, email, created_at)
  select c.id, lower(auth.email()), place.shared_at
  from public.categories c
  where c.id = $1 and not c.is_public and place.left_at > now() - private.undo_window();
  return found;
end
$$;

-- Whoever left is not invited again until they say so. For rows of somebody else it says nothing, as gate_invitation does.
create function private.respect_leaving() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if exists (
    select from private.left_shares l join auth.users u on u.id = l.user_id
    where l.category_id = new.category_id and lower(u.email) = new.email
  ) and exists (
    select from public.categories c
    where c.id = new.category_id and (auth.uid() is null or c.user_id = auth.uid())
  ) then
    raise exception using
      errcode = 'PT409',
      message = format('%s saiu deste compartilhamento. Para um novo convite, essa pessoa precisa aceitar na página da categoria.', new.email),
      hint = 'share_left';
  end if;
  return new;
end
$$;
-- After the one that lowers the address, by its name.
create trigger shared_with_respect_leaving before insert on public.shared_with
  for each row execute function private.respect_leaving();
create index left_shares_of_category on private.left_shares (category_id);

revoke all on function private.respect_leaving() from public;
revoke all on function public.open_share(uuid), public.opened_share(), public.leave_share(uuid),
  public.has_left_share(uuid), public.return_to_share(uuid) from public, anon, authenticated, service_role;
grant execute on function public.open_share(uuid), public.opened_share(), public.leave_share(uuid),
  public.has_left_share(uuid), public.return_to_share(uuid) to authenticated;
