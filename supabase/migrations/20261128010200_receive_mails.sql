-- What arrives at the secret addresses. Called by the function mail-in alone, which has verified the provider and taken the message apart.

-- Notes that something of a message was not saved; the same message is noted once. Twenty are kept.
create function private.note_refused_mail(person uuid, message_key text, sender text, subject text, reason text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  insert into private.refused_mails as r (user_id, message_key, sender, subject, reason)
  values (person, $2, left(coalesce($3, ''), 254), left(coalesce($4, ''), 100), $5)
  on conflict on constraint refused_mails_once do update set
    sender = excluded.sender, subject = excluded.subject, reason = excluded.reason, refused_at = excluded.refused_at;
  delete from private.refused_mails r
  where r.user_id = person and r.id in (
    select o.id from private.refused_mails o where o.user_id = person order by o.refused_at desc, o.id offset 20
  );
end
$$;

-- Saves the links of a message into the inbox of the person whose address it is. One message is saved once (message_key), sixty in an
-- hour, twenty links of each. `is_verified`: the provider has proven that the sender's domain sent it. `links`: url, title and description of
-- each. Returns 'saved', 'repeated', 'unknown_address' (also of an account that is closed), or why nothing was saved, which its owner can see.
create function public.receive_mail(
  local_part text,
  message_key text,
  sender text,
  is_verified boolean,
  subject text,
  links jsonb
)
  returns text
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  address private.mail_addresses;
  from_address constant text := lower(btrim(coalesce($3, '')));
  link record;
  saved integer := 0;
  refusal text;
  hint text;
begin
  if $2 is null or char_length($2) not between 1 and 100 or jsonb_typeof($6) is distinct from 'array' then
    raise exception using errcode = 'PT400', message = 'Mensagem inválida';
  end if;
  -- The account first, as whoever closes or deletes it does: in the other order the two could wait for each other.
  perform from auth.users u
  where u.id = (select a.user_id from private.mail_addresses a where a.local_part = lower($1)) for key share;
  -- One message of a person at a time: a second delivery of it waits, and finds it saved.
  select a.* into address from private.mail_addresses a where a.local_part = lower($1) for update;
  if not found or exists (
    select from auth.users u where u.id = address.user_id and (u.deleted_at is not null or u.banned_until > now())
  ) or exists (
    select from private.account_closures c where c.user_id = address.user_id and c.reopened_at is null
  ) then
    return 'unknown_address';
  end if;
  -- Providers try again for three days at most.
  delete from private.saved_mails m where m.user_id = address.user_id and m.saved_at < now() - interval '7 days';
  if exists (select from private.saved_mails m where m.user_id = address.user_id and m.message_key = $2) then
    return 'repeated';
  end if;

  if not address.any_sender then
    refusal := case
      when not (
        exists (select from private.mail_senders s where s.user_id = address.user_id and s.email = from_address)
        or exists (
          select from auth.users u
          where u.id = address.user_id and u.email_confirmed_at is not null and lower(u.email) = from_address
        )
      ) then 'unknown_sender'
      when $4 is not true then 'unverified_sender'
    end;
  end if;
  if refusal is null and (
    select count(*) from private.saved_mails m
    where m.user_id = address.user_id and m.saved_at > clock_timestamp() - interval '1 hour'
  ) >= 60 then
    refusal := 'too_many_mails';
  end if;

  if refusal is null then
    for link in
      select l.value ->> 'url' as url, l.value ->> 'title' as title, l.value ->> 'description' as description
      from jsonb_array_elements($6) with ordinality as l(value, place) order by l.place limit 20
    loop
      begin
        perform private.capture_link_of(address.user_id, gen_random_uuid(), link.url, link.title, link.description, null);
        saved := saved + 1;
      exception
        when check_violation or not_null_violation then
          -- No address that can be saved; the others are.
          null;
        when raise_exception then
          get stacked diagnostics hint = pg_exception_hint;
          -- What a plan calls unlimited ends as well, at bound_links and bound_categories.
          hint := replace(hint, 'bound_', 'plan_limit_');
          if coalesce(hint, '') not in ('plan_limit_links', 'plan_limit_categories') then
            raise;
          end if;
          refusal := hint;
          exit;
      end;
    end loop;
    refusal := coalesce(refusal, case
      when saved = 0 then 'no_link'
      when jsonb_array_length($6) > 20 then 'too_many_links'
    end);
  end if;

  if refusal is not null then
    perform private.note_refused_mail(address.user_id, $2, from_address, $5, refusal);
  end if;
  if saved = 0 then
    return refusal;
  end if;
  insert into private.saved_mails (user_id, message_key) values (address.user_id, $2);
  return 'saved';
end
$$;

-- As before, and what mails have left.
create or replace function public.finish_account_upkeep(next_in integer default 1440, at timestamptz default now()) returns void
  language sql
  security definer
  set search_path = ''
as $$
  update private.account_upkeep u set due_at = at + make_interval(mins => next_in) where u.is_this;
  -- The tokens from before have long expired.
  delete from private.account_closures c where c.reopened_at < at - interval '30 days';
  delete from private.account_mails m
  where m.state in ('sent', 'refused', 'withdrawn') and m.queued_at < at - interval '12 months';
  delete from private.refused_mails r where r.refused_at < at - interval '30 days';
  delete from private.saved_mails m where m.saved_at < at - interval '7 days';
$$;

revoke all on function private.note_refused_mail(uuid, text, text, text, text) from public;
revoke all on function public.receive_mail(text, text, text, boolean, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.receive_mail(text, text, text, boolean, text, jsonb) to service_role;
