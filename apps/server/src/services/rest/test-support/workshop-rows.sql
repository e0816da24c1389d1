-- The rows that every test starts from.
truncate workshop.clients, workshop.projects, workshop.project_details, workshop.tasks, workshop.people,
  workshop.people_tasks, workshop.addresses, workshop.orders, workshop.stock, workshop."odd name", workshop.secrets;

insert into workshop.clients (id, name, city) values
  (1, 'Padaria Ação', 'São Paulo'), (2, 'Livraria', 'Recife'), (3, 'Sem projeto', null);
insert into workshop.projects (id, name, client_id, budget, started, data, tags, span) values
  (1, 'Forno', 1, 100.50, '2026-01-10', '{"level": 1, "owner": {"name": "Ana"}, "list": [1, 2]}', '{a,b}', '[1,5)'),
  (2, 'Vitrine', 1, null, '2026-02-10', '{"level": 2}', '{b}', '[5,9)'),
  (3, 'Estante', 2, 70, null, '{}', '{}', null),
  (4, 'Avulso', null, 5, '2025-12-31', '{"level": null}', '{c}', '[2,3)');
insert into workshop.project_details values (1, 'quente'), (3, null);
insert into workshop.tasks (id, title, project_id, done) values
  (1, 'comprar tijolos', 1, true), (2, 'acender', 1, false), (3, 'limpar vidros', 2, false), (4, 'solta', null, false);
insert into workshop.people (id, name, boss_id) values (1, 'Ana', null), (2, 'Bia', 1), (3, 'Caio', 1);
insert into workshop.people_tasks values (1, 1), (2, 1), (2, 2);
insert into workshop.addresses values (1, 'Rua A'), (2, 'Rua B');
insert into workshop.orders values (1, 1, 2), (2, 2, 2);
insert into workshop.stock values ('A', 1, 'prego', 10), ('A', 2, 'parafuso', 20);
insert into workshop."odd name" values (1, 'ponto', 'vírgula', 'espaços');
insert into workshop.secrets values (1, 'x');
select setval(pg_get_serial_sequence('workshop.' || t, 'id'), 100) from unnest(array['clients', 'projects', 'tasks', 'people']) t;
