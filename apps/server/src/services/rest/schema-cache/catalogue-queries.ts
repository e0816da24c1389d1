/**
 * One statement reads all that the service needs of pg_catalog, as one JSON text. `$1` is the array of exposed schemas, `$2` the
 * array of further ones whose views are looked through. Keys are read of every schema: an exposed view may show a table of another.
 * Type modifiers are left out (-1): values are parsed as the bare type and cut or refused by the column itself.
 */
export const READ_CATALOGUE = `
with recursive exposed as (
  select oid, nspname from pg_catalog.pg_namespace where nspname = any($1)
), domain_step (oid, base, next) as (
  select t.oid, b.oid, b.typbasetype
  from pg_catalog.pg_type t join pg_catalog.pg_type b on b.oid = t.typbasetype
  where t.typtype = 'd'
  union all
  select d.oid, b.oid, b.typbasetype
  from domain_step d join pg_catalog.pg_type b on b.oid = d.next
), domain as (
  select oid, base from domain_step where next = 0
), relation as (
  select c.oid, e.nspname, c.relname, c.relkind, c.relrowsecurity
  from pg_catalog.pg_class c join exposed e on e.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
), keyed as (
  select c.oid, n.nspname, c.relname
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
), unique_key as (
  select c.conrelid, c.contype, c.conkey, (
    select array_agg(a.attname::text order by a.attname)
    from pg_catalog.pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey)
  ) as columns
  from pg_catalog.pg_constraint c join keyed r on r.oid = c.conrelid
  where c.contype in ('p', 'u')
), foreign_key as (
  select c.conname, c.conrelid, c.confrelid, c.conkey, c.confkey, o.nspname as origin_schema, o.relname as origin_name,
    t.nspname as target_schema, t.relname as target_name, pair.columns,
    exists (
      select from unique_key u where u.conrelid = c.conrelid and u.columns = pair.own
    ) as is_unique
  from pg_catalog.pg_constraint c
  join keyed o on o.oid = c.conrelid
  join keyed t on t.oid = c.confrelid
  cross join lateral (
    select json_agg(json_build_array(own.attname, other.attname) order by k.position) as columns,
      array_agg(own.attname::text order by own.attname) as own
    from unnest(c.conkey, c.confkey) with ordinality k (own, other, position)
    join pg_catalog.pg_attribute own on own.attrelid = c.conrelid and own.attnum = k.own
    join pg_catalog.pg_attribute other on other.attrelid = c.confrelid and other.attnum = k.other
  ) pair
  where c.contype = 'f' and c.conparentid = 0
), routine as (
  select p.oid, e.nspname, p.proname, p.provolatile, p.proretset, p.prorows,
    base.oid as return_type,
    p.prorettype = 'void'::regtype as returns_void,
    base.typtype = 'c'
      or coalesce(p.proargmodes::text[] && array['t', 'b', 'o'], false) as returns_row,
    p.proargtypes, p.proargnames, p.proargmodes, p.pronargs, p.pronargdefaults, p.provariadic
  from pg_catalog.pg_proc p
  join exposed e on e.oid = p.pronamespace
  left join domain d on d.oid = p.prorettype
  join pg_catalog.pg_type base on base.oid = coalesce(d.base, p.prorettype)
  where p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
)
select json_build_object(
  'relations', (
    select coalesce(json_agg(json_build_object(
      'schema', r.nspname, 'name', r.relname, 'isView', r.relkind in ('v', 'm'),
      'hidesRows', r.relrowsecurity or r.relkind = 'v',
      'comment', pg_catalog.obj_description(r.oid, 'pg_class'),
      'primaryKey', coalesce((
        select to_json(u.columns) from unique_key u where u.conrelid = r.oid and u.contype = 'p'
      ), '[]'),
      'columns', (
        select coalesce(json_agg(json_build_object(
          'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, -1),
          'baseType', (select pg_catalog.format_type(base, -1) from domain where oid = a.atttypid),
          'nullable', not a.attnotnull,
          'defaultExpression', case
            when a.attgenerated <> '' then null
            when a.attidentity <> '' then pg_catalog.format(
              'nextval(%L::regclass)',
              pg_catalog.pg_get_serial_sequence(pg_catalog.format('%I.%I', r.nspname, r.relname), a.attname)
            )
            else coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), pg_catalog.pg_get_expr(t.typdefaultbin, 0))
          end
        ) order by a.attnum), '[]')
        from pg_catalog.pg_attribute a
        join pg_catalog.pg_type t on t.oid = a.atttypid
        left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      )
    ) order by r.nspname, r.relname), '[]') from relation r
  ),
  'foreignKeys', (
    select coalesce(json_agg(json_build_object(
      'constraint', f.conname, 'columns', f.columns, 'isUnique', f.is_unique,
      'origin', json_build_object(
        'schema', f.origin_schema, 'name', f.origin_name, 'id', f.conrelid::bigint, 'positions', to_json(f.conkey)
      ),
      'target', json_build_object(
        'schema', f.target_schema, 'name', f.target_name, 'id', f.confrelid::bigint, 'positions', to_json(f.confkey)
      )
    ) order by f.origin_schema, f.origin_name, f.conname), '[]') from foreign_key f
  ),
  'primaryKeys', (
    select coalesce(json_agg(json_build_object('table', u.conrelid::bigint, 'positions', to_json(u.conkey))), '[]')
    from unique_key u where u.contype = 'p'
  ),
  'views', (
    select coalesce(json_agg(json_build_object(
      'id', c.oid::bigint, 'schema', n.nspname, 'name', c.relname, 'rule', r.ev_action::text
    ) order by n.nspname, c.relname), '[]')
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
    where c.relkind in ('v', 'm') and n.nspname = any($1 || $2)
  ),
  'routines', (
    select coalesce(json_agg(json_build_object(
      'schema', p.nspname, 'name', p.proname, 'volatility', p.provolatile, 'returnsSet', p.proretset,
      'rows', p.prorows, 'returnsVoid', p.returns_void, 'returnsRow', p.returns_row,
      'returnType', pg_catalog.format_type(p.return_type, -1),
      'comment', pg_catalog.obj_description(p.oid, 'pg_proc'),
      'returnsRelation', (
        select json_build_object('schema', r.nspname, 'name', r.relname)
        from pg_catalog.pg_type t join relation r on r.oid = t.typrelid where t.oid = p.return_type
      ),
      'argumentRelation', (
        select json_build_object('schema', r.nspname, 'name', r.relname)
        from pg_catalog.pg_type t join relation r on r.oid = t.typrelid
        where p.pronargs = 1 and t.oid = p.proargtypes[0]
      ),
      'parameters', (
        select coalesce(json_agg(json_build_object(
          'name', coalesce(argument.name, ''), 'type', pg_catalog.format_type(argument.type, -1),
          'required', argument.position <= p.pronargs - p.pronargdefaults,
          'variadic', argument.mode = 'v'
        ) order by argument.position), '[]')
        from (
          select row_number() over (order by a.position) as position, a.name, a.mode,
            p.proargtypes[(row_number() over (order by a.position))::int - 1] as type
          from unnest(
            coalesce(p.proargnames, array_fill(null::text, array[p.pronargs::int])),
            coalesce(p.proargmodes::text[], array_fill('i'::text, array[p.pronargs::int]))
          ) with ordinality a (name, mode, position)
          where coalesce(a.mode, 'i') in ('i', 'b', 'v')
        ) argument
      )
    ) order by p.nspname, p.proname, p.oid), '[]') from routine p
  )
)::text as catalogue`;

/** One side of a foreign key: the table, and where the key's columns stand in it. */
export type KeyedTable = {
  readonly schema: string;
  readonly name: string;
  readonly id: number;
  readonly positions: readonly number[];
};

/** What `READ_CATALOGUE` returns, once parsed. */
export type Catalogue = {
  readonly relations: readonly {
    readonly schema: string;
    readonly name: string;
    readonly isView: boolean;
    readonly hidesRows: boolean;
    readonly comment: string | null;
    readonly primaryKey: readonly string[];
    readonly columns: readonly {
      readonly name: string;
      readonly type: string;
      readonly baseType: string | null;
      readonly nullable: boolean;
      readonly defaultExpression: string | null;
    }[];
  }[];
  readonly foreignKeys: readonly {
    readonly constraint: string;
    readonly columns: readonly (readonly [string, string])[];
    readonly isUnique: boolean;
    readonly origin: KeyedTable;
    readonly target: KeyedTable;
  }[];
  readonly primaryKeys: readonly { readonly table: number; readonly positions: readonly number[] }[];
  readonly views: readonly {
    readonly id: number;
    readonly schema: string;
    readonly name: string;
    /** What Postgres keeps of its query, as a `pg_node_tree`. */
    readonly rule: string;
  }[];
  readonly routines: readonly {
    readonly schema: string;
    readonly name: string;
    readonly volatility: 'i' | 's' | 'v';
    readonly returnsSet: boolean;
    readonly rows: number;
    readonly returnsVoid: boolean;
    readonly returnsRow: boolean;
    readonly returnType: string;
    readonly comment: string | null;
    readonly returnsRelation: { readonly schema: string; readonly name: string } | null;
    readonly argumentRelation: { readonly schema: string; readonly name: string } | null;
    readonly parameters: readonly {
      readonly name: string;
      readonly type: string;
      readonly required: boolean;
      readonly variadic: boolean;
    }[];
  }[];
};
