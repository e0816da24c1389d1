/**
 * One statement reads all that the service needs of pg_catalog, as one JSON text. `$1` is the array of exposed schemas.
 * Type modifiers are left out (-1): values are parsed as the bare type and cut or refused by the column itself.
 */
export const READ_CATALOGUE = `
with exposed as (
  select oid, nspname from pg_catalog.pg_namespace where nspname = any($1)
), relation as (
  select c.oid, e.nspname, c.relname, c.relkind, c.relrowsecurity
  from pg_catalog.pg_class c join exposed e on e.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
), unique_key as (
  select c.conrelid, c.contype, (
    select array_agg(a.attname::text order by a.attname)
    from pg_catalog.pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey)
  ) as columns
  from pg_catalog.pg_constraint c join relation r on r.oid = c.conrelid
  where c.contype in ('p', 'u')
), foreign_key as (
  select c.conname, o.nspname as origin_schema, o.relname as origin_name,
    t.nspname as target_schema, t.relname as target_name, pair.columns,
    exists (
      select from unique_key u where u.conrelid = c.conrelid and u.columns = pair.own
    ) as is_unique
  from pg_catalog.pg_constraint c
  join relation o on o.oid = c.conrelid
  join relation t on t.oid = c.confrelid
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
    coalesce(nullif(t.typbasetype, 0), t.oid) as return_type,
    p.prorettype = 'void'::regtype as returns_void,
    coalesce(base.typtype, t.typtype) = 'c'
      or coalesce(p.proargmodes::text[] && array['t', 'b', 'o'], false) as returns_row,
    p.proargtypes, p.proargnames, p.proargmodes, p.pronargs, p.pronargdefaults, p.provariadic
  from pg_catalog.pg_proc p
  join exposed e on e.oid = p.pronamespace
  join pg_catalog.pg_type t on t.oid = p.prorettype
  left join pg_catalog.pg_type base on base.oid = t.typbasetype
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
          'baseType', (
            select pg_catalog.format_type(t.typbasetype, -1)
            from pg_catalog.pg_type t where t.oid = a.atttypid and t.typtype = 'd'
          ), 'nullable', not a.attnotnull,
          'defaultExpression', case
            when a.attgenerated <> '' then null
            when a.attidentity <> '' then pg_catalog.format(
              'nextval(%L::regclass)',
              pg_catalog.pg_get_serial_sequence(pg_catalog.format('%I.%I', r.nspname, r.relname), a.attname)
            )
            else pg_catalog.pg_get_expr(d.adbin, d.adrelid)
          end
        ) order by a.attnum), '[]')
        from pg_catalog.pg_attribute a
        left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      )
    ) order by r.nspname, r.relname), '[]') from relation r
  ),
  'foreignKeys', (
    select coalesce(json_agg(json_build_object(
      'constraint', f.conname, 'columns', f.columns, 'isUnique', f.is_unique,
      'origin', json_build_object('schema', f.origin_schema, 'name', f.origin_name),
      'target', json_build_object('schema', f.target_schema, 'name', f.target_name)
    ) order by f.origin_schema, f.origin_name, f.conname), '[]') from foreign_key f
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
    readonly origin: { readonly schema: string; readonly name: string };
    readonly target: { readonly schema: string; readonly name: string };
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
