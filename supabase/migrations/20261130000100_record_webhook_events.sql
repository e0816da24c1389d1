-- What happens in a library becomes events for its owner's webhooks, in the same transaction. A statement is one event, however many rows it
-- changes: it names fifty of them at most, and says how many there were. Whoever has no webhook pays for one look into an index a statement.

-- Who of these people has a webhook that wants such events.
create function private.webhook_listeners(people uuid[], event text) returns uuid[]
  language sql stable
  set search_path = ''
as $$
  select array(
    select distinct w.user_id from private.webhooks w
    where w.user_id = any (people) and event = any (w.events) and w.off_at is null and w.deleted_at is null
    order by w.user_id
  )
$$;

-- Queues an event for each of a person's webhooks that want it. One with ten thousand waiting is turned off: it would not catch up any more.
create function private.queue_webhook_event(person uuid, event text, subject text, data jsonb, only_webhook uuid default null) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  message_id constant text := 'msg_' || gen_random_uuid();
  moment constant text := to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  body constant text := jsonb_build_object('type', event, 'timestamp', moment, 'data', data)::text;
  hook record;
begin
  for hook in
    -- Locked, so that whoever notes that nothing waits any more sees what is queued here.
    select w.id, w.due_at from private.webhooks w
    where w.user_id = person and w.off_at is null and w.deleted_at is null
      and case when only_webhook is null then event = any (w.events) else w.id = only_webhook end
    order by w.id
    for no key update
  loop
    if exists (
      select from private.webhook_deliveries d where d.webhook_id = hook.id and d.state = 'waiting'
      order by d.number offset 9999 limit 1
    ) then
      perform private.turn_webhook_off(hook.id, 'full');
      continue;
    end if;
    insert into private.webhook_deliveries (webhook_id, message_id, type, subject, body)
    values (hook.id, message_id, event, left(subject, 100), body);
    if hook.due_at = 'infinity' then
      update private.webhooks w set due_at = now() where w.id = hook.id;
    end if;
  end loop;
  perform pg_catalog.pg_notify('linkoteca_webhooks', '');
end
$$;

-- Turns a webhook off for a reason that its owner did not give, and has a mail sent to them.
create function private.turn_webhook_off(webhook_id uuid, reason text) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  with turned as (
    update private.webhooks w set off_at = clock_timestamp(), off_reason = reason
    where w.id = $1 and w.off_at is null returning w.user_id, w.off_at
  )
  insert into private.account_mails (user_id, kind, occasion, deadline)
  select t.user_id, 'webhook_off', t.off_at, t.off_at from turned t
  on conflict on constraint account_mails_one_per_occasion do nothing;
end
$$;

-- Links as receivers see them.
create function private.webhook_links(links public.links[]) returns jsonb
  language sql stable
  set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('id', l.id, 'url', l.url, 'title', l.title, 'description', l.description,
    'category_id', l.category_id, 'created_at', to_char(l.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by l.place)
  from unnest(links) with ordinality as l(id, url, title, description, category_id, user_id, created_at, updated_at, place)
$$;

create function private.record_link_events() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  event constant text := case tg_op when 'INSERT' then 'link.created' when 'UPDATE' then 'link.updated' else 'link.deleted' end;
  people uuid[];
  person uuid;
  total bigint;
  changed uuid[];
  named public.links[];
begin
  -- Where nobody has a webhook, this is all.
  if not exists (select from private.webhooks) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    people := array(select distinct user_id from removed);
  else
    people := array(select distinct user_id from added);
  end if;
  foreach person in array private.webhook_listeners(people, event) loop
    if tg_op = 'INSERT' then
      select count(*) into total from added where user_id = person;
      named := array(select a::public.links from added a where a.user_id = person order by a.created_at, a.id limit 50);
    elsif tg_op = 'DELETE' then
      select count(*) into total from removed where user_id = person;
      named := array(select r::public.links from removed r where r.user_id = person order by r.created_at, r.id limit 50);
    else
      -- A set operation and no join: a plan that was made for one link must bear twenty thousand.
      changed := array(
        select e.id from (
          select id, url, title, description, category_id, created_at from added where user_id = person
          except
          select id, url, title, description, category_id, created_at from removed where user_id = person
        ) as e
        order by e.created_at, e.id
      );
      total := cardinality(changed);
      named := array(select l from public.links l where l.id = any (changed[1:50]) order by l.created_at, l.id);
    end if;
    if total > 0 then
      perform private.queue_webhook_event(person, event, named[1].title,
        jsonb_build_object('count', total, 'links', private.webhook_links(named)));
    end if;
  end loop;
  return null;
end
$$;

create trigger links_record_added after insert on public.links
  referencing new table as added for each statement execute function private.record_link_events();
create trigger links_record_changed after update on public.links
  referencing old table as removed new table as added for each statement execute function private.record_link_events();
create trigger links_record_removed after delete on public.links
  referencing old table as removed for each statement execute function private.record_link_events();

-- Categories that others see now, or more of them than before. Whom they are shared with is not told: these are other people's addresses.
create function private.record_sharing_events(category_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
  happened record;
begin
  foreach person in array private.webhook_listeners(
    array(select distinct c.user_id from public.categories c where c.id = any (category_ids)), 'category.shared'
  ) loop
    select count(*) as total, min(s.name) filter (where s.place = 1) as subject,
      jsonb_agg(s.category order by s.place) filter (where s.place <= 50) as categories
    into happened
    from (
      select c.name, row_number() over (order by c.name, c.id) as place, jsonb_build_object(
        'id', c.id, 'name', c.name, 'is_public', c.is_public,
        'people', (select count(*) from public.shared_with x where x.category_id = c.id)
      ) as category
      from public.categories c where c.id = any (category_ids) and c.user_id = person
    ) as s;
    perform private.queue_webhook_event(person, 'category.shared', happened.subject,
      jsonb_build_object('count', happened.total, 'categories', happened.categories));
  end loop;
end
$$;

create function private.record_invitations() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if exists (select from private.webhooks) then
    perform private.record_sharing_events(array(select distinct category_id from added));
  end if;
  return null;
end
$$;

create function private.record_publications() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if not exists (select from private.webhooks) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform private.record_sharing_events(array(select id from added where is_public));
  else
    perform private.record_sharing_events(array(
      select id from added where is_public except select id from removed where is_public
    ));
  end if;
  return null;
end
$$;

create trigger shared_with_record_added after insert on public.shared_with
  referencing new table as added for each statement execute function private.record_invitations();
create trigger categories_record_added after insert on public.categories
  referencing new table as added for each statement execute function private.record_publications();
create trigger categories_record_changed after update on public.categories
  referencing old table as removed new table as added for each statement execute function private.record_publications();

revoke all on function private.webhook_listeners(uuid[], text), private.queue_webhook_event(uuid, text, text, jsonb, uuid),
  private.turn_webhook_off(uuid, text), private.webhook_links(public.links[]), private.record_link_events(),
  private.record_sharing_events(uuid[]), private.record_invitations(), private.record_publications() from public;
