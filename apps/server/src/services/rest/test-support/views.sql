-- Views of every kind, over the workshop's tables and over those of a schema that nobody is shown.
create schema vault;
create table vault.authors (id int primary key, name text not null);
create table vault.books (id int primary key, author_id int references vault.authors (id), title text not null);
create table vault.rooms (house text, number int, primary key (house, number));
create table vault.beds (
  id int primary key, house text, number int,
  constraint beds_room foreign key (house, number) references vault.rooms (house, number)
);
create table vault.diaries (id int primary key, owner text not null, book_id int references vault.books (id), words text);
alter table vault.diaries enable row level security;
grant usage on schema vault to anon, authenticated;
grant select on vault.diaries, vault.books to anon, authenticated;
create policy of_owner on vault.diaries for select to anon, authenticated using (owner = auth.jwt() ->> 'sub');
create table vault.crew (id int primary key, name text not null, boss_id int references vault.crew (id));
insert into vault.crew values (1, 'Ana', null), (2, 'Bia', 1), (3, 'Caio', 1);
insert into vault.authors values (1, 'Clarice'), (2, 'Machado'), (3, 'Ninguém');
insert into vault.books values (1, 1, 'A hora'), (2, 2, 'Dom'), (3, 2, 'Quincas'), (4, null, 'Anônimo');
insert into vault.rooms values ('a', 1), ('a', 2), ('b', 1);
insert into vault.beds values (1, 'a', 1), (2, 'a', 1), (3, 'b', 1), (4, null, null);
insert into vault.diaries values (1, 'ana', 1, 'segredo'), (2, 'bia', 1, 'outro');

create view workshop.authors as select name, id as author from vault.authors;
create view workshop.books as select id, author_id as written_by, title from vault.books;
create view workshop.rooms as select number as door, house from vault.rooms;
create view workshop.beds as select id, number, house, number as again from vault.beds;
create view workshop.short_beds as select id, house from vault.beds;
create view workshop.diaries with (security_invoker = true) as select * from vault.diaries;
create view workshop.diary_words as select id, book_id, words from vault.diaries;
create view vault.some_books as select * from vault.books;
create view workshop.shelf as select id, author_id from vault.some_books;

create view workshop.projects_view as select p.name as title, p.id as nr, p.client_id as client_nr from workshop.projects p;
create view workshop.late_projects as with late as (select * from workshop.projects_view) select nr, client_nr from late where nr > 1;
create view workshop.projects_with_clients as
  select p.id, p.client_id, c.id as of_client, c.name from workshop.projects p join workshop.clients c on c.id = p.client_id;
create view workshop.repeated_keys as select id, client_id as first, client_id as second from workshop.projects;
create view workshop.computed_keys as select id, client_id + 0 as client_id from workshop.projects;
create view workshop.all_keys as select id, client_id from workshop.projects union select id, null from workshop.projects;
create materialized view workshop.client_names as select id, name from workshop.clients;
create view workshop.staff as select id, name, boss_id as boss from workshop.people;
create view workshop.crew as select id, name, boss_id as boss from vault.crew;
create view workshop.assignments as select task_id as task, person_id as person from workshop.people_tasks;
create view workshop."odd { view" as
  select client_id as "} (:resno 9 :resorigtbl 1", id as "a, b", name as "c :resorigcol 7" from workshop.projects;
create view workshop.stocked as select shelf as place, slot, item from workshop.stock;
create view workshop.stocked_by_slot as select slot, item, shelf as place from workshop.stock;

create function workshop.list_views(first int) returns setof workshop.projects_view language sql stable as
  'select * from workshop.projects_view where nr >= first order by nr';
create function workshop.shouted(workshop.projects_view) returns text language sql stable as 'select upper($1.title)';
create view workshop.title as select name as title, id from workshop.projects;
create function workshop.shouted(workshop.title) returns text language sql stable as $$ select upper($1.title) || '!' $$;
create function workshop.tasks_of_view(workshop.projects_view) returns setof workshop.open_tasks language sql stable as
  'select * from workshop.open_tasks where project_id = $1.nr';
create domain workshop.short_text as text check (length(value) < 40);
create domain workshop.short_name as workshop.short_text default 'sem nome';
create domain workshop.listed_words as workshop.word_list;
create table workshop.labels (
  id int primary key, name workshop.short_name, words workshop.listed_words, data jsonb
);
insert into workshop.labels values (1, 'azul', to_tsvector('portuguese', 'gatos azuis'), null);

grant select, insert, update, delete on all tables in schema workshop to anon, authenticated, service_role;
revoke all on workshop.secrets from anon, authenticated;
