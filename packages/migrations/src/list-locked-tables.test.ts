import { expect, it } from 'vitest';
import { listLockedTables } from './list-locked-tables.ts';

it.each<readonly [string, readonly string[], readonly string[]]>([
  ['alter table public.links add column note text', ['public.links'], []],
  ['ALTER TABLE IF EXISTS ONLY links\n  drop column note', ['links'], []],
  ['drop table private."old links"; truncate table a', ['private."old links"', 'a'], []],
  ['create policy links_own on public.links for select using (true)', ['public.links'], []],
  ['drop policy if exists "links own" on public.links', ['public.links'], []],
  ['drop trigger links_touch on public.links', ['public.links'], []],
  [
    'create trigger t after update of url on public.links for each row execute function f()',
    [],
    ['public.links'],
  ],
  ['create unique index i on public.links (url)', [], ['public.links']],
  ['create table a (id int references public.links (id))', [], ['public.links']],
  ['create index i on links (url); alter table links add column b int', ['links'], []],
  ['-- alter table public.links\nselect 1', [], []],
  [`update public.links set url = 'x'; create function f() returns int language sql as 'select 1'`, [], []],
])('%s', (text, exclusive, shared) => {
  expect(listLockedTables(text)).toEqual({ exclusive, shared });
});
