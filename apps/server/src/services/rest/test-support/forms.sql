-- What the tests of media types, domains and descriptions need of a schema.
create schema forms;
grant usage on schema forms to anon, authenticated, service_role;

create domain forms."text/plain" as text;
create domain forms."text/xml" as pg_catalog.xml;
create domain forms."text/csv" as text;
create domain forms."image/png" as bytea;
create domain forms."text/html" as text;
create domain forms."*/*" as text;
create domain forms."application/vnd.shape" as bytea;
create domain forms."text/tab-separated-values" as text;

create table forms.shapes (id int primary key, name text not null, corners int);
insert into forms.shapes values (1, 'triangle', 3), (2, 'square', 4), (3, 'dot', null);
create table forms.points (id int primary key, label text);
insert into forms.points values (1, 'a');
create table forms.anything (id int primary key);
insert into forms.anything values (1), (2);
create table forms.hidden (id int primary key, word text);
insert into forms.hidden values (1, 'segredo');
alter table forms.hidden enable row level security;

create function forms.welcome() returns forms."text/plain" language sql stable as $$ select 'Olá' $$;
create function forms.page() returns forms."text/html" language sql stable as $$ select '<h1>Olá</h1>' $$;
create function forms.tag() returns forms."text/xml" language sql stable as $$ select '<a/>'::pg_catalog.xml $$;
create function forms.picture() returns forms."image/png" language sql stable as $$ select '\x89504e47'::bytea $$;
create function forms.no_picture() returns forms."image/png" language sql stable as $$ select null::bytea $$;
create function forms.words() returns setof forms."text/plain" language sql stable as $$ values ('um'), ('dois') $$;
create function forms.plain_text() returns text language sql stable as $$ select 'texto' $$;
create function forms.whatever() returns forms."*/*" language plpgsql stable as $$
declare
  accepted text := current_setting('request.headers', true)::json->>'accept';
begin
  if accepted = 'app/groucho' then
    perform set_config('response.headers', '[{"Content-Type": "app/groucho"}]', true);
  elsif accepted = 'app/harpo' then
    raise sqlstate 'PT415' using message = 'Unsupported Media Type';
  end if;
  return accepted;
end $$;
create function forms.find_shapes() returns setof forms.shapes language sql stable as 'select * from forms.shapes';

create function forms.shape_step(state bytea, next forms.shapes) returns forms."application/vnd.shape" language sql as
  $$ select state || convert_to(next.name || ';', 'UTF8') $$;
create aggregate forms.shape_agg(forms.shapes) (initcond = '', stype = forms."application/vnd.shape", sfunc = forms.shape_step);

create function forms.csv_step(state text, next forms.shapes) returns forms."text/csv" language sql as
  $$ select state || next.id || ';' || next.name || E'\n' $$;
create function forms.csv_end(data forms."text/csv") returns forms."text/csv" language sql as $$
  select set_config('response.headers', '[{"Content-Disposition": "attachment; filename=\"shapes.csv\""}]', true);
  select 'id;nome' || E'\n' || data;
$$;
create aggregate forms.csv_agg(forms.shapes) (initcond = '', stype = forms."text/csv", sfunc = forms.csv_step, finalfunc = forms.csv_end);

create function forms.tabs_step(state text, next anyelement) returns forms."text/tab-separated-values" language sql as
  $$ select state || replace(trim(both '()' from next::text), ',', E'\t') || E'\n' $$;
create aggregate forms.tabs_agg(anyelement) (initcond = '', stype = forms."text/tab-separated-values", sfunc = forms.tabs_step);

create function forms.any_step(state text, next forms.anything) returns forms."*/*" language sql as
  $$ select state || next.id || ' ' $$;
create aggregate forms.any_agg(forms.anything) (initcond = '', stype = forms."*/*", sfunc = forms.any_step);

-- A colour is kept as a number and shown as '#0000ff'.
create domain forms.color as integer check (value between 0 and 16777215);
create function forms.color_to_json(forms.color) returns json language sql immutable as
  $$ select case when $1 is null then null else to_json('#' || lpad(to_hex($1), 6, '0')) end $$;
create function forms.color_from_text(text) returns forms.color language sql immutable as
  $$ select ('x' || lpad(ltrim($1, '#'), 8, '0'))::bit(32)::int::forms.color $$;
create function forms.color_from_json(json) returns forms.color language sql immutable as
  $$ select forms.color_from_text($1 #>> '{}') $$;
create cast (forms.color as json) with function forms.color_to_json(forms.color) as implicit;
create cast (text as forms.color) with function forms.color_from_text(text) as implicit;
create cast (json as forms.color) with function forms.color_from_json(json) as implicit;
create table forms.paints (id int primary key, tone forms.color unique, label text, mixed_of int references forms.paints (id));
insert into forms.paints values (1, 255, 'azul', null), (2, 65280, 'verde', 1), (3, null, 'nenhuma', null);
create function forms.find_paints() returns setof forms.paints language sql stable as 'select * from forms.paints';

-- In the place of PostGIS, whose function has this name and takes a row in this way.
create schema gis;
create function gis.st_asgeojson(r record, geom_column text default '', maxdecimaldigits int default 9, pretty boolean default false)
  returns text language plpgsql immutable as $$
begin
  if to_jsonb(r) ->> 'geom' is null then
    raise exception 'geometry column is missing';
  end if;
  return json_build_object('type', 'Feature', 'geometry', (to_jsonb(r) ->> 'geom')::json, 'properties', to_jsonb(r) - 'geom');
end $$;
grant usage on schema gis to anon, authenticated, service_role;
create table forms.places (id int primary key, name text, geom text);
insert into forms.places values (1, 'Praça', '{"type":"Point","coordinates":[-46.6,-23.5]}'), (2, 'Rio', '{"type":"Point","coordinates":[-43.2,-22.9]}');
create function forms.find_places() returns setof forms.places language sql stable as 'select * from forms.places';

grant select, insert, update, delete on all tables in schema forms to anon, authenticated, service_role;
