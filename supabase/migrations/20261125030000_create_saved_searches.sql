-- Saved searches: questions that a person keeps in the sidebar, as typed. What they ask for is read by the app's one parser
-- (packages/domain/src/search-question.ts), here they are text.
create table public.saved_searches (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  name text not null,
  question text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint saved_searches_pkey primary key (id),
  constraint saved_searches_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint saved_searches_name_length check (char_length(name) between 1 and 100),
  constraint saved_searches_name_trimmed check (name !~ '^\s|\s$'),
  constraint saved_searches_question_length check (char_length(question) between 1 and 500),
  constraint saved_searches_question_trimmed check (question !~ '^\s|\s$'),
  constraint saved_searches_question_once unique (user_id, question)
);

alter table public.saved_searches enable row level security;
revoke all on public.saved_searches from public, anon, authenticated;
grant select, delete, insert (id, user_id, name, question), update (name) on public.saved_searches to authenticated;
grant all on public.saved_searches to service_role;

create policy saved_searches_select_own on public.saved_searches
  for select to authenticated using (user_id = (select auth.uid()));
create policy saved_searches_insert_own on public.saved_searches
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy saved_searches_update_own on public.saved_searches
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy saved_searches_delete_own on public.saved_searches
  for delete to authenticated using (user_id = (select auth.uid()));
create policy saved_searches_of_open_account on public.saved_searches as restrictive
  for all to authenticated using ((select private.is_account_open()));
create policy saved_searches_service on public.saved_searches for all to service_role using (true) with check (true);

-- The technical bounds, and one more. Twin of packages/domain/src/limits.ts; a test compares the two.
create or replace function private.most(what text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select case what
    when 'folders' then 10000
    when 'folder_emails' then 100
    when 'categories' then 10000
    when 'links' then 1000000
    when 'favorites' then 1000
    when 'saved_searches' then 100
    when 'invitations' then 10000
    when 'bin_rows' then 100000
    when 'import_parts' then 10000
    when 'files' then 10000
    when 'file_name_bytes' then 1024
    when 'file_note_bytes' then 10000
  end
$$;

create or replace function private.refuse_beyond(what text, code text default 'P0001') returns void
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using
    errcode = code,
    message = format(
      case what
        when 'folders' then 'Limite de %s pastas atingido'
        when 'categories' then 'Limite de %s categorias atingido'
        when 'links' then 'Limite de %s links atingido'
        when 'favorites' then 'Limite de %s favoritos atingido'
        when 'saved_searches' then 'Limite de %s buscas salvas atingido'
        when 'invitations' then 'Limite de %s endereços convidados atingido'
        when 'import_parts' then 'Limite de %s partes importadas em um dia atingido'
        when 'files' then 'Limite de %s arquivos atingido'
        when 'file_name_bytes' then 'O nome de um arquivo tem no máximo %s bytes'
        when 'file_note_bytes' then 'As anotações de um arquivo têm no máximo %s bytes'
      end,
      replace(to_char(private.most(what), 'FM9,999,999'), ',', '.')
    ),
    detail = json_build_object('max', private.most(what))::text,
    hint = 'bound_' || what;
end
$$;

create function private.limit_saved_searches() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person uuid;
begin
  for person in select distinct a.user_id from added a order by a.user_id loop
    -- Of two statements racing for the last place the second waits and sees what the first has written.
    perform from public.library_counts n where n.user_id = person for no key update;
    if (select count(*) from public.saved_searches s where s.user_id = person) > private.most('saved_searches') then
      perform private.refuse_beyond('saved_searches');
    end if;
  end loop;
  return null;
end
$$;

create trigger saved_searches_limit after insert on public.saved_searches
  referencing new table as added for each statement execute function private.limit_saved_searches();

revoke all on function private.limit_saved_searches() from public;

-- Other devices learn of it as of the library. A publication of all tables has it already, and takes no single one.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime' and puballtables) then
    alter publication supabase_realtime add table public.saved_searches;
  end if;
end
$$;
alter table public.saved_searches replica identity full;
