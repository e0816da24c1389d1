-- Bounds that no person meets and that keep one account from filling an installation: 'sem limite' of a plan means these.
-- Twin of packages/domain/src/limits.ts; a test compares the two. Asked with a constant, the answer is folded into the plan
-- of the statement that asks, so a bound costs no look at a table.
create function private.most(what text) returns integer
  language sql immutable parallel safe
  set search_path = ''
as $$
  select case what
    when 'folders' then 10000
    when 'folder_emails' then 100
    when 'categories' then 10000
    when 'links' then 1000000
    when 'invitations' then 10000
    when 'undo_rows' then 100000
    when 'import_parts' then 10000
    when 'files' then 10000
    when 'file_name_bytes' then 1024
    when 'file_note_bytes' then 10000
  end
$$;

-- The refusal, in words. 42501 is the one code whose message the storage service passes on.
create function private.refuse_beyond(what text, code text default 'P0001') returns void
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
revoke all on function private.most(text), private.refuse_beyond(text, text) from public;
