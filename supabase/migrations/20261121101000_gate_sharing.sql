-- Sharing is for plans that include it. What is shared stays shared after a downgrade and can be reduced or turned off; only
-- what would extend it is refused.
--
-- These triggers run before the policies do, and with the rights of their owner. For rows of somebody else they say nothing and
-- leave the refusal to the policy: else their errors would tell a stranger who is on which plan, and which category is public.
create function private.require_sharing_plan(owner_id uuid) returns void
  language plpgsql
  stable
  security definer
  set search_path = ''
as $$
declare
  owner_plan text;
begin
  select p.plan into owner_plan
  from public.profiles p join private.plan_limits l on l.plan = p.plan
  where p.id = owner_id and not l.can_share;
  if found then
    raise exception using
      errcode = 'P0001',
      message = 'Recurso indisponível',
      detail = json_build_object('plan', owner_plan)::text,
      hint = 'plan_sharing';
  end if;
end
$$;

create function private.gate_publishing() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if auth.uid() is null or auth.uid() = new.user_id then
    perform private.require_sharing_plan(new.user_id);
  end if;
  return new;
end
$$;

-- Public and restricted exclude each other: publishing drops the list, and a public category takes no addresses.
create function private.drop_shares_of_published() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from public.shared_with where category_id = new.id;
  return null;
end
$$;

create function private.gate_invitation() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  owner_id uuid;
  published boolean;
begin
  -- The share lock makes a simultaneous publishing wait, so that it sees this address and drops it.
  select user_id, is_public into owner_id, published from public.categories
  where id = new.category_id and (auth.uid() is null or user_id = auth.uid()) for share;
  if not found then
    return new; -- the policy or the foreign key refuses
  end if;
  perform private.require_sharing_plan(owner_id);
  if published then
    raise exception using
      errcode = 'check_violation',
      message = 'a public category takes no invitations',
      constraint = 'shared_with_category_not_public',
      table = 'shared_with',
      schema = 'public';
  end if;
  return new;
end
$$;
revoke all on function private.require_sharing_plan(uuid), private.gate_publishing(),
  private.drop_shares_of_published(), private.gate_invitation() from public;

create trigger categories_gate_new before insert on public.categories
  for each row when (new.is_public) execute function private.gate_publishing();
create trigger categories_gate_change before update on public.categories
  for each row when (new.is_public and not old.is_public) execute function private.gate_publishing();
create trigger categories_drop_shares after update on public.categories
  for each row when (new.is_public and not old.is_public) execute function private.drop_shares_of_published();

create trigger folders_gate_new before insert on public.folders
  for each row when (new.is_public or new.shared_with <> '{}') execute function private.gate_publishing();
create trigger folders_gate_change before update on public.folders
  for each row when ((new.is_public and not old.is_public) or not new.shared_with <@ old.shared_with)
  execute function private.gate_publishing();

create trigger shared_with_gate before insert on public.shared_with
  for each row execute function private.gate_invitation();
