-- What was kept back from a shared folder's people is shared with them when it is shown: a plan that does not share extends nothing.

create function private.gate_showing() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Without people in the folder nobody is shown anything.
  if exists (select from public.folder_members m where m.folder_id = new.folder_id) then
    perform private.require_sharing_plan(new.user_id);
  end if;
  return new;
end
$$;
comment on function private.gate_showing() is 'Refuses to show a reserved category where the owner''s plan does not share.';
revoke all on function private.gate_showing() from public, anon, authenticated, service_role;

-- Triggers run in the order of their names: this one after those that refuse a program without the right, and whoever is not the owner.
create trigger categories_show_by_plan before update on public.categories
  for each row when (old.is_held_back and not new.is_held_back) execute function private.gate_showing();
