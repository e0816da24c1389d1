-- A person's invited addresses in all their categories together. Beside the limit of one category (20261121102401): lists of a hundred
-- in ten thousand categories would be a million addresses.

create function private.limit_invitations_of_person() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person uuid;
  total bigint;
begin
  for person in
    select distinct c.user_id from public.categories c
    where c.id = any (array(select distinct a.category_id from added a)) order by c.user_id
  loop
    -- Of two statements racing for the last place, in whichever categories, the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    select count(*) into total
    from public.categories c join public.shared_with s on s.category_id = c.id
    where c.user_id = person;
    if total > private.most('invitations') and not exists (select from private.restorations r where r.user_id = person) then
      perform private.refuse_beyond('invitations');
    end if;
  end loop;
  return null;
end
$$;
revoke all on function private.limit_invitations_of_person() from public;
create trigger shared_with_limit_of_person after insert on public.shared_with
  referencing new table as added for each statement execute function private.limit_invitations_of_person();
