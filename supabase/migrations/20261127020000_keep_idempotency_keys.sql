-- Requests to /api/v1 that may be sent twice (header Idempotency-Key): what the first was answered, for a day. The key is written in the
-- transaction of what the request does. Whoever sends the same at the same moment waits for its end: then there is an answer, or nothing was done.
create table private.idempotency_keys (
  user_id uuid not null,
  -- A registered program, or the session of a token that a person made: another program's keys are not one's own.
  program text not null,
  key text not null,
  -- SHA-256 of what was asked: the same key with another request is a mistake.
  request text not null,
  -- As text of JSON: it is sent again to the letter.
  answer json,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_pkey primary key (user_id, program, key),
  constraint idempotency_keys_user_id_is_a_user foreign key (user_id) references auth.users (id) on delete cascade,
  constraint idempotency_keys_key_length check (char_length(key) between 1 and 255),
  constraint idempotency_keys_program_length check (char_length(program) <= 100),
  constraint idempotency_keys_answer_length check (octet_length(answer::text) <= 65536)
);
create index idempotency_keys_oldest on private.idempotency_keys (created_at);
revoke all on private.idempotency_keys from public, anon, authenticated;
alter table private.idempotency_keys enable row level security;

create function private.calling_program() returns text
  language sql stable
  set search_path = ''
as $$ select left(coalesce(auth.jwt() ->> 'client_id', auth.jwt() ->> 'session_id', ''), 100) $$;

-- Takes a key for the transaction that calls. Returns no row where it was free, else what it was used for and what that was answered.
create function private.claim_idempotency_key(key text, request text) returns table (asked text, answer json)
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.writer_id();
  caller_program text := private.calling_program();
begin
  if caller is null then
    raise exception using errcode = '42501', message = 'Você precisa estar logado para realizar esta ação';
  end if;
  delete from private.idempotency_keys k where k.user_id = caller and k.created_at < now() - interval '24 hours';
  if (select count(*) from private.idempotency_keys k where k.user_id = caller) >= 20000 then
    raise exception using errcode = 'PT429', message = 'Muitas chaves de idempotência em um dia';
  end if;
  insert into private.idempotency_keys (user_id, program, key, request) values (caller, caller_program, $1, $2)
  on conflict on constraint idempotency_keys_pkey do nothing;
  if not found then
    return query select k.request, k.answer from private.idempotency_keys k
      where k.user_id = caller and k.program = caller_program and k.key = $1;
  end if;
end
$$;

-- What the request that has taken the key is answered. To be called in the same transaction.
create function private.note_idempotent_answer(key text, answer json) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  caller uuid := private.writer_id();
  caller_program text := private.calling_program();
begin
  update private.idempotency_keys k set answer = $2
  where k.user_id = caller and k.program = caller_program and k.key = $1 and k.answer is null;
end
$$;

-- Forgets keys whose day is over. Called by the server now and then.
create function private.purge_idempotency_keys(at_most integer default 10000) returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  purged integer;
begin
  delete from private.idempotency_keys where ctid = any (array(
    select k.ctid from private.idempotency_keys k
    where k.created_at < now() - interval '24 hours' order by k.created_at limit at_most for update skip locked
  ));
  get diagnostics purged = row_count;
  return purged;
end
$$;

revoke all on function private.calling_program(), private.claim_idempotency_key(text, text),
  private.note_idempotent_answer(text, json), private.purge_idempotency_keys(integer) from public, anon, authenticated;
grant execute on function private.claim_idempotency_key(text, text), private.note_idempotent_answer(text, json) to authenticated;
grant execute on function private.purge_idempotency_keys(integer) to service_role;
