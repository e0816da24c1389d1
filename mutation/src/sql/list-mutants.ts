import type pg from 'pg';
import { mutateSql } from './mutate-sql.ts';
import { roomOf } from './rooms.ts';

/** A schema that differs in one small thing. */
export type Mutant = {
  /** `function private.most(text)`, `policy public.links links_select_own`, … */
  readonly object: string;
  readonly room: string;
  readonly what: string;
  /** Where in the object; empty where the object is one line. */
  readonly line: string;
  /** Makes the mutant of the migrated schema. */
  readonly statement: string;
  /** Tests that call one of these may notice. */
  readonly functions: readonly string[];
  /** Tests that touch one of these may notice, when no test is known to call the function: a call that fails is not counted. */
  readonly tables: readonly string[];
};

type Draft = Omit<Mutant, 'room' | 'object'>;
type Row = Record<string, string>;

/** Every mutant of what the migrations have made, in a fixed order. Reads the catalogues alone. */
export async function listMutants(client: pg.Client): Promise<readonly Mutant[]> {
  await client.query(`select set_config('search_path', '', false)`);
  const mutants: Mutant[] = [];
  const read = async (text: string, describe: (row: Row) => readonly [string, readonly Draft[]]) => {
    const { rows } = await client.query<Row>(text);
    for (const row of rows) {
      const [object, drafts] = describe(row);
      mutants.push(...drafts.map((draft) => ({ ...draft, object, room: roomOf(object) })));
    }
  };
  await read(POLICIES, mutatePolicy);
  await read(ROW_SECURITY, mutateRowSecurity);
  await read(TABLE_GRANTS, mutateTableGrant);
  await read(MISSING_TABLE_GRANTS, widenTableGrant);
  await read(FUNCTION_GRANTS, mutateFunctionGrant);
  await read(CONSTRAINTS, mutateConstraint);
  await read(COLUMNS, mutateColumn);
  await read(TRIGGERS, mutateTrigger);
  await read(VIEWS, mutateView);
  await read(PUBLICATIONS, mutatePublication);
  await read(FUNCTIONS, mutateFunction);
  return mutants;
}

const OURS = `('public'::regnamespace, 'private'::regnamespace)`;
const NO_EXTENSION = (catalogue: string, oid: string) => `not exists (select from pg_catalog.pg_depend d
  where d.classid = 'pg_catalog.${catalogue}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

const FUNCTIONS = `
  select p.oid::regprocedure::text as signature, n.nspname || '.' || p.proname as name, p.prosrc as body,
    pg_get_functiondef(p.oid) as definition, -- Whom nobody calls but functions that act as their owner already is no different without it.
    p.prosecdef and (p.prorettype = 'trigger'::regtype or has_function_privilege('anon', p.oid, 'execute')
      or has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('service_role', p.oid, 'execute')) as definer,
    (select string_agg(distinct t.tgrelid::regclass::text, ' ') from pg_catalog.pg_trigger t where t.tgfoid = p.oid) as relations
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where p.pronamespace in ${OURS} and ${NO_EXTENSION('pg_proc', 'p.oid')} and p.prokind = 'f' order by 1`;

function mutateFunction({ signature, name, body: quoted = '', definition = '', definer, relations }: Row) {
  // One that is written as `return …` has no body in quotes.
  const body = quoted === '' ? definition.slice(definition.indexOf('\nRETURN ')) : quoted;
  const at = definition.lastIndexOf(body);
  const touched = { functions: [String(name)], tables: relations?.split(' ') ?? [] };
  const drafts: Draft[] = mutateSql(body, 'body').map(({ what, line, text }) => ({
    what,
    line,
    statement: definition.slice(0, at) + text + definition.slice(at + body.length),
    ...touched,
  }));
  if (definer)
    drafts.push({
      what: 'security invoker',
      line: '',
      statement: `alter function ${signature} security invoker`,
      ...touched,
    });
  return [`function ${signature}`, drafts] as const;
}

const POLICIES = `
  select p.polname as name, p.polrelid::regclass::text as relation, pg_get_expr(p.polqual, p.polrelid) as reading,
    pg_get_expr(p.polwithcheck, p.polrelid) as writing
  from pg_catalog.pg_policy p join pg_catalog.pg_class c on c.oid = p.polrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'private', 'storage', 'realtime') and p.polname !~ '_service$' order by 2, 1`;

function mutatePolicy({ name, relation, reading, writing }: Row) {
  const touched = { functions: [], tables: [String(relation)] };
  const change = (clause: string, condition: string | undefined) =>
    mutateSql(condition ?? '', 'condition').map(({ what, text }) => ({
      what: `${clause} ${what}`,
      line: '',
      statement: `alter policy ${name} on ${relation} ${clause} (${text})`,
      ...touched,
    }));
  const drafts: Draft[] = [...change('using', reading), ...change('with check', writing)];
  drafts.push({ what: 'dropped', line: '', statement: `drop policy ${name} on ${relation}`, ...touched });
  return [`policy ${relation} ${name}`, drafts] as const;
}

const ROW_SECURITY = `
  select c.oid::regclass::text as relation from pg_catalog.pg_class c
  where c.relrowsecurity and c.relnamespace = 'public'::regnamespace order by 1`;

function mutateRowSecurity({ relation }: Row) {
  const statement = `alter table ${relation} disable row level security`;
  return [
    `row security ${relation}`,
    [{ what: 'disabled', line: '', statement, functions: [], tables: [String(relation)] }],
  ] as const;
}

const TABLE_GRANTS = `
  select c.oid::regclass::text as relation, a.privilege_type || coalesce(' (' || quote_ident(t.attname) || ')', '') as privilege,
    r.rolname as role
  from pg_catalog.pg_class c
  left join pg_catalog.pg_attribute t on false
  cross join lateral aclexplode(c.relacl) a join pg_catalog.pg_roles r on r.oid = a.grantee
  where c.relnamespace in ${OURS} and r.rolname in ('anon', 'authenticated')
  union all
  select c.oid::regclass::text, a.privilege_type || ' (' || quote_ident(t.attname) || ')', r.rolname
  from pg_catalog.pg_class c join pg_catalog.pg_attribute t on t.attrelid = c.oid and t.attnum > 0
  cross join lateral aclexplode(t.attacl) a join pg_catalog.pg_roles r on r.oid = a.grantee
  where c.relnamespace in ${OURS} and r.rolname in ('anon', 'authenticated')
  order by 1, 3, 2`;

function mutateTableGrant({ relation, privilege, role }: Row) {
  const statement = `revoke ${privilege} on ${relation} from ${role}`;
  const draft = { what: 'revoked', line: '', statement, functions: [], tables: [String(relation)] };
  return [`grant ${relation} ${role} ${privilege}`, [draft]] as const;
}

/** What a visitor or a person may not do with a table of theirs, one column at a time where rights go by columns. */
const MISSING_TABLE_GRANTS = `
  select c.oid::regclass::text as relation, w.privilege || coalesce(' (' || quote_ident(t.attname) || ')', '') as privilege, r.role
  from pg_catalog.pg_class c
  cross join (values ('anon'), ('authenticated')) r (role)
  cross join (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) w (privilege)
  left join pg_catalog.pg_attribute t on t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped
    and w.privilege in ('INSERT', 'UPDATE') and r.role = 'authenticated' and c.relnamespace = 'public'::regnamespace
  where c.relkind in ('r', 'v') and not case
    when t.attname is null then has_table_privilege(r.role, c.oid, w.privilege)
    else has_column_privilege(r.role, c.oid, t.attnum, w.privilege) end
    and (c.relnamespace = 'public'::regnamespace
      or c.relnamespace = 'private'::regnamespace and r.role = 'authenticated' and t.attname is null)
  order by 1, 3, 2`;

function widenTableGrant({ relation, privilege, role }: Row) {
  const statement = `grant ${privilege} on ${relation} to ${role}`;
  const draft = { what: 'granted', line: '', statement, functions: [], tables: [String(relation)] };
  return [`grant ${relation} ${role} ${privilege}`, [draft]] as const;
}

const FUNCTION_GRANTS = `
  select p.oid::regprocedure::text as signature, n.nspname || '.' || p.proname as name, r.role,
    has_function_privilege(r.role, p.oid, 'execute') as held
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  cross join (select unnest(array['anon', 'authenticated', 'service_role'])) r (role)
  where p.pronamespace in ${OURS} and ${NO_EXTENSION('pg_proc', 'p.oid')}
    and p.prorettype <> 'trigger'::regtype
    -- Who may not use the schema may call nothing in it, whatever is granted there.
    and (has_schema_privilege(r.role, n.oid, 'usage') or has_function_privilege(r.role, p.oid, 'execute'))
    -- The server itself is trusted with all.
    and (r.role <> 'service_role' or has_function_privilege(r.role, p.oid, 'execute'))
  order by 1, 3`;

function mutateFunctionGrant({ signature, name, role, held }: Row) {
  const statement = held
    ? `revoke execute on function ${signature} from ${role}`
    : `grant execute on function ${signature} to ${role}`;
  const what = held ? 'revoked' : 'granted';
  const draft = { what, line: '', statement, functions: [String(name)], tables: [] };
  return [`grant ${signature} ${role}`, [draft]] as const;
}

const CONSTRAINTS = `
  select k.conname as name, k.conrelid::regclass::text as relation, k.contype as type, pg_get_constraintdef(k.oid) as definition
  from pg_catalog.pg_constraint k
  where k.connamespace in ${OURS} and k.conrelid <> 0 and k.contype in ('c', 'u', 'f', 'x') order by 2, 1`;

function mutateConstraint({ name, relation, type, definition = '' }: Row) {
  const touched = { functions: [], tables: [String(relation)] };
  const drop = `alter table ${relation} drop constraint ${name}`;
  const drafts: Draft[] = [{ what: 'dropped', line: '', statement: drop, ...touched }];
  const change = (what: string, text: string) =>
    drafts.push({ what, line: '', statement: `${drop}, add constraint ${name} ${text}`, ...touched });
  if (type === 'c') for (const { what, text } of mutateSql(definition, 'condition')) change(what, text);
  if (definition.includes(' ON DELETE CASCADE'))
    change('no cascade', definition.replace(' ON DELETE CASCADE', ''));
  return [`constraint ${relation} ${name}`, drafts] as const;
}

const COLUMNS = `
  select c.oid::regclass::text as relation, quote_ident(a.attname) as name, a.attnotnull as required,
    pg_get_expr(e.adbin, e.adrelid) as preset
  from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_catalog.pg_attrdef e on e.adrelid = c.oid and e.adnum = a.attnum
  where c.relnamespace in ${OURS} and c.relkind = 'r' and a.attgenerated = '' and a.attidentity = ''
    and not exists (select from pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey))
  order by 1, a.attnum`;

function mutateColumn({ relation, name, required, preset }: Row) {
  const touched = { line: '', functions: [], tables: [String(relation)] };
  const alter = (what: string, change: string) => ({
    what,
    statement: `alter table ${relation} alter column ${name} ${change}`,
    ...touched,
  });
  const drafts: Draft[] = [
    ...(required ? [alter('not null dropped', 'drop not null')] : []),
    ...(preset ? [alter('default dropped', 'drop default')] : []),
  ];
  return [`column ${relation} ${name}`, drafts] as const;
}

const TRIGGERS = `
  select t.tgname as name, t.tgrelid::regclass::text as relation, pg_get_triggerdef(t.oid) as definition,
    n.nspname || '.' || f.proname as function
  from pg_catalog.pg_trigger t join pg_catalog.pg_proc f on f.oid = t.tgfoid
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  where not t.tgisinternal and f.pronamespace in ${OURS} order by 2, 1`;

function mutateTrigger({ name, relation, definition = '', function: called }: Row) {
  const touched = { line: '', functions: [String(called)], tables: [String(relation)] };
  const drop = `drop trigger ${name} on ${relation}`;
  const drafts: Draft[] = [{ what: 'dropped', statement: drop, ...touched }];
  const change = (what: string, text: string) =>
    drafts.push({ what, statement: `${drop}; ${text}`, ...touched });
  const [whole, condition = ''] = / WHEN (\(.*\)) EXECUTE /.exec(definition) ?? [];
  if (whole !== undefined) {
    for (const { what, text } of mutateSql(condition, 'condition'))
      change(
        `when ${what}`,
        definition.replace(condition, () => `(${text})`),
      );
    change('without its condition', definition.replace(` WHEN ${condition}`, ''));
  }
  const [, events = ''] = / (?:BEFORE|AFTER) (.*?) ON /.exec(definition) ?? [];
  const list = events.split(' OR ');
  if (list.length > 1)
    for (const event of list)
      change(`not on ${event}`, definition.replace(events, list.filter((one) => one !== event).join(' OR ')));
  return [`trigger ${relation} ${name}`, drafts] as const;
}

const VIEWS = `
  select c.oid::regclass::text as relation, pg_get_viewdef(c.oid) as definition
  from pg_catalog.pg_class c where c.relkind = 'v' and c.relnamespace in ${OURS} order by 1`;

function mutateView({ relation, definition = '' }: Row) {
  const drafts = mutateSql(definition, 'body').map(({ what, line, text }) => ({
    what,
    line,
    statement: `create or replace view ${relation} as ${text}`,
    functions: [],
    tables: ['private.account_mails', 'private.account_closures'],
  }));
  return [`view ${relation}`, drafts] as const;
}

const PUBLICATIONS = `
  select p.pubname as name, r.prrelid::regclass::text as relation
  from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid order by 1, 2`;

function mutatePublication({ name, relation }: Row) {
  const statement = `alter publication ${name} drop table ${relation}`;
  const draft = { what: 'left out', line: '', statement, functions: [], tables: [String(relation)] };
  return [`publication ${name} ${relation}`, [draft]] as const;
}
