import { describe, expect, it } from 'vitest';
import { parseSelect } from './parse-select.ts';
import type { SelectItem } from './request-ast.ts';

/** Writes an item back in a compact form, so that a table of cases stays readable. */
function show(item: SelectItem): string {
  if (item.kind === 'embed') {
    const { spread, alias, name, hint, join, items } = item;
    return `${spread ? '...' : ''}${alias ?? ''}>${name}!${hint ?? ''}!${join ?? ''}(${items.map(show).join(' ')})`;
  }
  const path = item.field.path.map(
    (step) => `${step.asText ? '->>' : '->'}${step.isIndex ? `#${step.key}` : step.key}`,
  );
  const aggregate =
    item.aggregate === undefined ? '' : `.${item.aggregate.name}()::${item.aggregate.cast ?? ''}`;
  return `${item.alias ?? ''}>${item.field.name}${path.join('')}::${item.cast ?? ''}${aggregate}`;
}

describe('parseSelect', () => {
  it.each([
    ['*', '>*::'],
    ['id,name', '>id:: >name::'],
    [' id , name ', '>id:: >name::'],
    ['nome:name', 'nome>name::'],
    ['nome: name', 'nome>name::'],
    ['name::text', '>name::text'],
    ['n:name::double precision', 'n>name::double precision'],
    ['data->a->>b', '>data->a->>b::'],
    ['data->0->>-1', '>data->#0->>#-1::'],
    ['data->0a', '>data->0a::'],
    ['x:data->a::int', 'x>data->a::int'],
    ['"a.b","c,d"', '>a.b:: >c,d::'],
    ['"say \\"hi\\""', '>say "hi"::'],
    ['with-dash', '>with-dash::'],
    ['preço,ação', '>preço:: >ação::'],
    ['categories(id,name)', '>categories!!(>id:: >name::)'],
    ['cat:categories!fk!inner(id)', 'cat>categories!fk!inner(>id::)'],
    ['categories!inner!fk(id)', '>categories!fk!inner(>id::)'],
    ['categories!left(id)', '>categories!!left(>id::)'],
    ['...categories(nome:name)', '...>categories!!(nome>name::)'],
    ['a(b(c(*)))', '>a!!(>b!!(>c!!(>*::)))'],
    ['categories()', '>categories!!()'],
    ['links(count)', '>links!!(>count::)'],
    ['count()', '>*::.count()::'],
    ['n:count()::text', 'n>*::.count()::text'],
    ['price.sum()::int', '>price::.sum()::int'],
    ['price::int.avg()', '>price::int.avg()::'],
    ['', ''],
  ])('reads %s', (text, expected) => {
    const parsed = parseSelect(text);
    expect(parsed.ok && parsed.value.map(show).join(' ')).toBe(expected);
  });

  it.each([
    'id,',
    ',id',
    'a b(',
    'categories(id',
    'categories(id))',
    '*::text',
    'id::',
    'id::int;drop',
    'id::int[]',
    'id->',
    'name!hint',
    ':id',
    'a:b:c',
    '(id)',
    '"open',
    "id'",
    'id--x;',
    'price.median()',
    '...',
  ])('refuses %s', (text) => {
    const parsed = parseSelect(text);
    expect(parsed.ok).toBe(false);
    expect(!parsed.ok && parsed.failure).toMatchObject({ status: 400, code: 'PGRST100' });
  });

  it('names the place of the fault as PostgREST does', () => {
    const parsed = parseSelect('id,clients(name[])');
    expect(!parsed.ok && parsed.failure.message).toBe(
      '"failed to parse select parameter (id,clients(name[]))" (line 1, column 16)',
    );
    expect(!parsed.ok && parsed.failure.details).toMatch(/^unexpected "\[" expecting /);
  });

  it('refuses embeds without end, deep or wide, before the planner meets them', () => {
    expect(parseSelect(`${'a('.repeat(10_000)}${')'.repeat(10_000)}`).ok).toBe(false);
    expect(parseSelect(Array.from({ length: 500 }, () => 'a()').join(',')).ok).toBe(false);
  });
});
