import type { DomainCasts, Forms, MediaHandler, MediaValue, RelationNotes } from './forms.ts';
import { keyOf, type QualifiedName, type Relation } from './schema-cache.ts';

/** `$1` is the array of exposed schemas (PostgREST documentation, media type handlers). */
export const READ_FORMS = `
with media as (
  select t.oid, lower(t.typname) as media_type, t.typbasetype = 'bytea'::regtype as is_bytes
  from pg_catalog.pg_type t
  where t.typtype = 'd' and (t.typname = '*/*' or t.typname ~* '^[a-z0-9.-]+/[a-z0-9.+-]+$')
)
select json_build_object(
  'handlers', (
    select coalesce(json_agg(json_build_object(
      'aggregate', json_build_object('schema', n.nspname, 'name', p.proname),
      'mediaType', m.media_type, 'isBytes', m.is_bytes,
      'row', case when c.oid is not null then json_build_object('schema', cn.nspname, 'name', c.relname) end
    ) order by n.nspname, p.proname, p.oid), '[]')
    from media m
    join pg_catalog.pg_proc p on p.prorettype = m.oid and p.prokind = 'a' and p.pronargs = 1
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace and n.nspname = any($1)
    join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
    left join pg_catalog.pg_class c on c.oid = a.typrelid and c.relkind in ('r', 'p', 'v', 'm', 'f')
    left join pg_catalog.pg_namespace cn on cn.oid = c.relnamespace
    where c.oid is not null or a.oid = 'anyelement'::regtype
  ),
  'values', (
    select coalesce(json_agg(json_build_object(
      'function', json_build_object('schema', n.nspname, 'name', p.proname),
      'mediaType', m.media_type, 'isBytes', m.is_bytes
    ) order by n.nspname, p.proname, p.oid), '[]')
    from media m
    join pg_catalog.pg_proc p on p.prorettype = m.oid and p.prokind = 'f' and not p.proretset
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace and n.nspname = any($1)
  ),
  'toFeature', (
    select json_build_object('schema', n.nspname, 'name', p.proname)
    from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where p.proname = 'st_asgeojson' and p.prokind = 'f' and p.proargtypes[0] = 'record'::regtype
    order by n.nspname limit 1
  ),
  'casts', (
    select coalesce(json_agg(json_build_object(
      'domain', pg_catalog.format_type(case when s.typtype = 'd' then s.oid else t.oid end, -1),
      'way', case when s.typtype = 'd' then 'toJson' when s.oid = 'text'::regtype then 'fromText' else 'fromJson' end,
      'function', json_build_object('schema', n.nspname, 'name', p.proname)
    ) order by c.oid), '[]')
    from pg_catalog.pg_cast c
    join pg_catalog.pg_type s on s.oid = c.castsource
    join pg_catalog.pg_type t on t.oid = c.casttarget
    join pg_catalog.pg_proc p on p.oid = c.castfunc
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where c.castcontext = 'i' and c.castmethod = 'f'
      and (s.typtype = 'd' and t.oid = 'json'::regtype
        or t.typtype = 'd' and s.oid in ('json'::regtype, 'text'::regtype))
  ),
  'schemas', (
    select coalesce(json_agg(json_build_object(
      'name', n.nspname, 'comment', pg_catalog.obj_description(n.oid, 'pg_namespace')
    )), '[]')
    from pg_catalog.pg_namespace n where n.nspname = any($1)
  ),
  'relations', (
    select coalesce(json_agg(json_build_object(
      'schema', n.nspname, 'name', c.relname,
      'insertable', c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid, true) & 8 = 8,
      'updatable', c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid, true) & 4 = 4,
      'deletable', c.relkind in ('r', 'p') or pg_catalog.pg_relation_is_updatable(c.oid, true) & 16 = 16,
      'columns', (
        select coalesce(json_agg(json_build_object(
          'name', a.attname,
          'format', case
            when b.oid is null and t.typnamespace = 'pg_catalog'::regnamespace then pg_catalog.format_type(t.oid, null)
            when b.typnamespace = 'pg_catalog'::regnamespace then pg_catalog.format_type(b.oid, null)
            else pg_catalog.format_type(a.atttypid, a.atttypmod)
          end,
          'comment', pg_catalog.col_description(c.oid, a.attnum),
          'labels', (
            select json_agg(e.enumlabel order by e.enumsortorder)
            from pg_catalog.pg_enum e where e.enumtypid = coalesce(b.oid, t.oid)
          ),
          'maxLength', information_schema._pg_char_max_length(
            coalesce(b.oid, t.oid), case when b.oid is null then a.atttypmod else t.typtypmod end
          )
        ) order by a.attnum), '[]')
        from pg_catalog.pg_attribute a
        join pg_catalog.pg_type t on t.oid = a.atttypid
        left join pg_catalog.pg_type b on b.oid = t.typbasetype
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      )
    )), '[]')
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = any($1)
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  )
)::text as forms`;

/** What `READ_FORMS` returns, once parsed. */
export type FormsCatalogue = {
  readonly handlers: readonly (MediaHandler & { readonly row: QualifiedName | null })[];
  readonly values: readonly (MediaValue & { readonly function: QualifiedName })[];
  readonly toFeature: QualifiedName | null;
  readonly casts: readonly {
    readonly domain: string;
    readonly way: keyof DomainCasts;
    readonly function: QualifiedName;
  }[];
  readonly schemas: readonly { readonly name: string; readonly comment: string | null }[];
  readonly relations: readonly (QualifiedName &
    Omit<RelationNotes, 'columns'> & {
      readonly columns: readonly {
        readonly name: string;
        readonly format: string;
        readonly comment: string | null;
        readonly labels: readonly string[] | null;
        readonly maxLength: number | null;
      }[];
    })[];
};

/** Read once: they change with a version of Postgres. */
export const READ_TIME_ZONES = `select lower(name) as name from pg_catalog.pg_timezone_names`;

/** Turns what the catalogue holds into what the negotiation looks up. */
export function buildForms(catalogue: FormsCatalogue, timeZones: ReadonlySet<string>): Forms {
  const handlers = new Map<string, MediaHandler[]>();
  const anyRow: MediaHandler[] = [];
  for (const { row, ...handler } of catalogue.handlers) {
    if (row === null) {
      anyRow.push(handler);
      continue;
    }
    const key = keyOf(row.schema, row.name);
    handlers.set(key, [...(handlers.get(key) ?? []), handler]);
  }
  const values = new Map(
    catalogue.values.map(({ function: { schema, name }, ...value }) => [keyOf(schema, name), value] as const),
  );
  const schemas = new Map(
    catalogue.schemas.flatMap(({ name, comment }) => (comment === null ? [] : [[name, comment] as const])),
  );
  const casts = new Map<string, DomainCasts>();
  for (const { domain, way, function: called } of catalogue.casts)
    casts.set(domain, { ...casts.get(domain), [way]: called });
  const toFeature = catalogue.toFeature ?? undefined;
  return { handlers, anyRow, toFeature, values, timeZones, casts, schemas, relations: buildNotes(catalogue) };
}

function buildNotes({ relations }: FormsCatalogue): Forms['relations'] {
  return new Map(
    relations.map(({ schema, name, columns, ...writes }) => [
      keyOf(schema, name),
      {
        ...writes,
        columns: new Map(
          columns.map(({ name: column, format, comment, labels, maxLength }) => [
            column,
            {
              format,
              comment: comment ?? undefined,
              labels: labels ?? undefined,
              maxLength: maxLength ?? undefined,
            },
          ]),
        ),
      },
    ]),
  );
}

/** Tells each column of a domain how its values are written and read. */
export function attachCasts(
  relations: ReadonlyMap<string, Relation>,
  { casts }: Pick<Forms, 'casts'>,
): ReadonlyMap<string, Relation> {
  if (casts.size === 0) return relations;
  return new Map(
    [...relations].map(([key, relation]) => {
      const columns = [...relation.columns].map(([name, column]) => {
        const own = casts.get(column.type);
        return [name, own === undefined ? column : { ...column, casts: own }] as const;
      });
      return [key, { ...relation, columns: new Map(columns) }];
    }),
  );
}
