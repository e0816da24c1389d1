-- Who may read a category besides its owner, by e-mail address.
create table public.shared_with (
  category_id uuid not null,
  email text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint shared_with_pkey primary key (category_id, email),
  constraint shared_with_category_id_fkey foreign key (category_id)
    references public.categories (id) on delete cascade,
  constraint shared_with_email_valid check (private.are_share_emails(array[email]))
);
create index shared_with_earliest_of_email on public.shared_with (email, created_at, category_id);

alter table public.shared_with enable row level security;
revoke all on public.shared_with from public, anon, authenticated;
grant select, delete, insert (category_id, email) on public.shared_with to authenticated;
grant all on public.shared_with to service_role;

-- Addresses are stored in lower case, however they were typed.
create function private.lower_invited_email() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.email := lower(btrim(new.email));
  return new;
end
$$;
revoke all on function private.lower_invited_email() from public;

create trigger shared_with_lower_email before insert or update of email on public.shared_with
  for each row execute function private.lower_invited_email();
