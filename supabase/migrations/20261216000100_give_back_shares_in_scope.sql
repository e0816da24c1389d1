-- A program that may change links could give back with whom a deleted folder or category was shared.

create trigger shared_with_new_in_scope before insert on public.shared_with
  for each row execute function private.refuse_sharing_out_of_scope();
create trigger folder_members_new_in_scope before insert on public.folder_members
  for each row execute function private.refuse_sharing_out_of_scope();
create trigger folder_groups_new_in_scope before insert on private.folder_groups
  for each row execute function private.refuse_sharing_out_of_scope();
