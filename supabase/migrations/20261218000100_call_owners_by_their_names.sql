-- The web app named the owner of a new category as its screens did: where an account had no name, by the beginning of its e-mail. That stood
-- on public pages, in feeds and in mails, and stayed when the account got a name. Whoever calls themselves so keeps it.

-- A trigger writes the profile's name in its place.
update public.categories c set name_users = null
from auth.users u join public.profiles p on p.id = u.id
where u.id = c.user_id and c.name_users = split_part(u.email, '@', 1) and c.name_users is distinct from p.name;

update private.deleted_rows r set content = r.content || '{"name_users": null}'
from private.deletions d join auth.users u on u.id = d.user_id join public.profiles p on p.id = u.id
where d.id = r.deletion_id and r.kind = 'category'
  and r.content ->> 'name_users' = split_part(u.email, '@', 1) and r.content ->> 'name_users' is distinct from p.name;
