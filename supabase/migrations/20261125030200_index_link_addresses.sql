-- Which addresses lead to the same page. Twin of packages/domain/src/same-address.ts, which asks a library for it in the browser; a test
-- compares the two. Where they cannot agree this one is the stricter: two names for one thing go unnoticed, different things are never
-- taken for one. (So names of hosts with accents are not spelt in letters of ASCII, and dots in a path lead nowhere.)

-- What says where a reader came from, and nothing of what they read.
create function private.is_tracking_parameter(name text, host text) returns boolean
  -- Without a search path of its own it is read into the statement that asks.
  language sql immutable parallel safe
as $$
  select split_part(lower(name), '_', 1) in ('utm', 'itm', 'mtm', 'pk', 'piwik', 'hsa', 'ga') and strpos(name, '_') > 0
    or lower(name) in (
      'fbclid', 'fb_action_ids', 'fb_action_types', 'fb_source', 'fb_ref', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid',
      'srsltid', '_ga', '_gl', 'msclkid', 'yclid', 'ymclid', '_openstat', 'twclid', 'ttclid', 'rdt_cid', 'li_fat_id', 'igshid',
      'igsh', 'mc_cid', 'mc_eid', 'mkt_tok', '_hsenc', '_hsmi', '__hssc', '__hstc', '__hsfp', 'hsctatracking', 'oly_anon_id',
      'oly_enc_id', 'vero_id', 'vero_conv', 'elq', 'elqtrackid', 'elqaid', 'elqat', 'elqcampaignid', 'elqtrack', 'wickedid',
      's_cid', 'ml_subscriber', 'ml_subscriber_hash', 'ref_src', 'ref_url', 'ncid', 'cmpid', 'mbid', '__s'
    )
    or (name = 'si' and host ~ '(^|\.)(youtu\.be|youtube\.com|spotify\.com)$')
$$;

-- One spelling of what is written with percent signs: decoded, but for what separates parts of an address, which stays and is in capitals.
create function private.decode_address(part text, kept text) returns text
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
begin
  if strpos(part, '%') = 0 then
    return part;
  end if;
  return (
    select string_agg(case
      when piece[1] is not null then convert_from(decode(replace(piece[1], '%', ''), 'hex'), 'UTF8')
      when piece[2] is not null then upper(piece[2])
      else piece[3]
    end, '' order by place)
    from regexp_matches(part, '((?:%(?!' || kept || '|25|0[0-9a-f]|1[0-9a-f]|7f)[0-9a-f]{2})+)|(%[0-9a-f]{2})|(%|[^%]+)', 'gi')
      with ordinality as found(piece, place)
  );
exception when character_not_in_repertoire or untranslatable_character then
  -- Written in another encoding.
  return part;
end
$$;

-- The parameters of an address in the order of their names, without those of tracking; null where none is left.
create function private.order_parameters(query text, host text) returns text
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  kept constant text := '3a|2f|3f|23|5b|5d|40|21|24|26|28|29|2a|2b|2c|3b|3d';
  is_plain boolean := strpos(query, '%') = 0 and strpos(query, '+') = 0;
  parameters text[] := '{}';
  names text[] := '{}';
  is_in_order boolean := true;
  parameter text;
  name text;
begin
  foreach parameter in array string_to_array(query, '&') loop
    continue when parameter = '';
    name := split_part(parameter, '=', 1);
    if not is_plain then
      parameter := private.decode_address(replace(parameter, '+', '%20'), kept);
      name := private.decode_address(replace(name, '+', '%20'), kept);
    end if;
    continue when private.is_tracking_parameter(name, host);
    is_in_order := is_in_order and (names = '{}' or names[cardinality(names)] <= name collate "C");
    parameters := parameters || parameter;
    names := names || name;
  end loop;
  if is_in_order then
    return nullif(array_to_string(parameters, '&'), '');
  end if;
  return (
    select string_agg(u.parameter, '&' order by u.name collate "C", u.place)
    from unnest(parameters, names) with ordinality as u(parameter, name, place)
  );
end
$$;

-- The same text for addresses that differ in scheme, 'www.', case of the host, usual port, slashes that say nothing, tracking, order of the
-- parameters, way of encoding, or fragment. A fragment that begins as a path does is one: of an app that finds its pages by it.
-- (Taken apart by where signs stand and not by a pattern: this runs for every link that is written.)
create function private.address_key(url text) returns text
  language plpgsql immutable parallel safe
  set search_path = ''
as $$
declare
  rest text := btrim(url, E' \t\n\r');
  scheme text := lower(split_part(rest, '://', 1));
  fragment text;
  query text;
  path text := '';
  host text;
  person text := '';
  port text := '';
  at integer;
begin
  if scheme not in ('http', 'https') or strpos(rest, '://') = 0 then
    return url;
  end if;
  rest := substr(rest, char_length(scheme) + 4);
  at := strpos(rest, '#');
  if at > 0 then
    fragment := substr(rest, at + 1);
    rest := left(rest, at - 1);
  end if;
  at := strpos(rest, '?');
  if at > 0 then
    query := substr(rest, at + 1);
    rest := left(rest, at - 1);
  end if;
  if strpos(rest, '\') > 0 then
    rest := replace(rest, '\', '/');
  end if;
  at := strpos(rest, '/');
  if at > 0 then
    path := substr(rest, at);
    rest := left(rest, at - 1);
  end if;

  host := rest;
  if strpos(rest, '@') > 0 then
    host := substring(rest from '[^@]*$');
    person := left(rest, char_length(rest) - char_length(host));
  end if;
  host := lower(host);
  if strpos(host, ':') > 0 then
    port := coalesce(substring(host from ':[0-9]*$'), '');
    host := left(host, char_length(host) - char_length(port));
    if port = ':' or (scheme = 'http' and port = ':80') or (scheme = 'https' and port = ':443') then
      port := '';
    end if;
  end if;
  host := rtrim(host, '.');
  if left(host, 4) = 'www.' and host ~ '^www\.(?!www\.)[^.]+\.[^.].' then
    host := substr(host, 5);
  end if;

  if strpos(path, '%') > 0 then
    path := private.decode_address(path, '3b|2f|3f|3a|40|26|3d|2b|24|2c|23');
  end if;
  if strpos(path, '//') > 0 then
    -- The address of a page within an address, such as archives have it, keeps its two.
    path := replace(regexp_replace(replace(path, '://', E':\x01'), '/{2,}', '/', 'g'), E':\x01', '://');
  end if;
  if right(path, 1) = '/' and right(path, 3) <> '://' then
    path := left(path, -1);
  end if;
  if query <> '' then
    query := private.order_parameters(query, host);
  end if;
  if fragment ~ '^[/!]' then
    fragment := private.decode_address(regexp_replace(fragment, ':~:text=.*$', '', 'i'), '23');
  else
    fragment := null;
  end if;
  return person || host || port || path || coalesce('?' || nullif(query, ''), '') || coalesce('#' || fragment, '');
end
$$;

-- Of each link what is compared first. Beside `links`, whose columns are the product's, and in the order in which copies are looked for: the
-- whole of a library is gone through without reading a link.
create table private.link_addresses (
  user_id uuid not null,
  hash bigint not null,
  created_at timestamptz not null,
  id uuid not null
) with (
  -- An index-only scan is one only where the visibility map is fresh: vacuum after a thousand changed rows, whatever the size.
  autovacuum_vacuum_insert_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0
);
create index link_addresses_of_user on private.link_addresses (user_id, hash, created_at, id);

-- What is there already, while everybody reads and writes: a million links take half a minute. The next migration follows what changes
-- meanwhile, and needs to know since when.
insert into private.link_addresses (user_id, hash, created_at, id)
select l.user_id, hashtextextended(private.address_key(l.url), 0), l.created_at, l.id from public.links l;

-- (A transaction that had begun before this one may commit after it.)
create table private.link_addresses_read as select now() - interval '1 hour' as at;

revoke all on function private.is_tracking_parameter(text, text), private.decode_address(text, text), private.order_parameters(text, text),
  private.address_key(text) from public;
