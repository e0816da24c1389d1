-- Between claim and sending an owner may get another address, close the account or hand the category over: the mail went all the same.

do $$
declare
  standing constant text := 'where r.id = m.request_id)
';
  gone constant text := '  if new.email is null then
';
  begins text := pg_catalog.pg_get_functiondef('public.begin_access_request_mail(uuid)'::regprocedure);
  ends text := pg_catalog.pg_get_functiondef('private.end_access_requests()'::regprocedure);
begin
  if position(standing in begins) = 0 or position(gone in ends) = 0 then
    raise exception 'public.begin_access_request_mail or private.end_access_requests is not as expected';
  end if;
  execute replace(begins, standing, 'where r.id = m.request_id and r.owner_id = m.owner_id)
    and u.email_confirmed_at is not null and not private.is_account_closed(m.owner_id)
');
  execute replace(ends, gone, $new$  -- What was claimed was claimed for the old address.
  update private.access_request_mails m set state = 'waiting', leased_until = null, attempts = m.attempts - 1
  where m.owner_id = new.id and m.state = 'sending' and m.started_at is null;
$new$ || gone);
end
$$;
