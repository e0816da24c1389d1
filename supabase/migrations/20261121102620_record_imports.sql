-- What an import of a bookmark file has made, part by part: so that a part that is sent twice is written once, and the whole can be
-- taken back. Kept for a day.

create table private.imports (
  user_id uuid not null,
  -- Chosen by the client. Under its person, so that nobody can take or probe an id of somebody else's.
  id uuid not null,
  -- What has no date of its own is dated from here, in the order of the file.
  started_at timestamptz not null default now(),
  undone_at timestamptz,
  constraint imports_pkey primary key (user_id, id),
  -- The counters and not auth.users, as for deletions: whoever imports holds their own row of them already.
  constraint imports_user_id_fkey foreign key (user_id) references public.library_counts (user_id) on delete cascade
);
create index imports_oldest on private.imports (started_at);

create table private.import_parts (
  user_id uuid not null,
  import_id uuid not null,
  part integer not null,
  answer jsonb not null,
  -- Lists and no rows of their own: twenty thousand links are forty rows here.
  folder_ids uuid[] not null,
  category_ids uuid[] not null,
  link_ids uuid[] not null,
  constraint import_parts_pkey primary key (user_id, import_id, part),
  constraint import_parts_import_fkey foreign key (user_id, import_id)
    references private.imports (user_id, id) on delete cascade
);

alter table private.imports enable row level security;
alter table private.import_parts enable row level security;
revoke all on private.imports, private.import_parts from public, anon, authenticated, service_role;

create function private.import_window() returns interval
  language sql immutable parallel safe
  set search_path = ''
as $$ select interval '24 hours' $$;

-- Forgets imports that can no longer be taken back, a few at a time; whoever imports next does it. Copies of it never wait.
create function private.purge_imports() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from private.imports where ctid = any (array(
    select i.ctid from private.imports i
    where i.started_at < now() - private.import_window()
    order by i.started_at
    limit 100 for update skip locked
  ));
end
$$;
revoke all on function private.import_window(), private.purge_imports() from public;
