import type { MediaRange, MediaType } from '../parse/parse-accept.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import type { MediaHandler, MediaValue } from '../schema-cache/forms.ts';
import { keyOf, type QualifiedName, type Routine, type SchemaCache } from '../schema-cache/schema-cache.ts';

export type MediaSettings = {
  /** Whether plans are told: they say what a table holds that a caller may not see. */
  readonly plans?: boolean;
};

type PlainMedia = Exclude<MediaType, { readonly kind: 'plan' }>;

const JSON_ARRAY: PlainMedia = { kind: 'json', single: false, stripNulls: false };

/** Picks the best form that the client takes and the schema offers. @returns PGRST107 when there is none. */
export function chooseMedia(
  cache: SchemaCache,
  settings: MediaSettings,
  request: ParsedRequest,
): Outcome<MediaType> {
  const find = request.target.kind === 'root' ? findDescription : findOffered(cache, settings, request);
  for (const range of request.accept) {
    const media = find(range);
    if (media !== undefined) return ok(media);
  }
  return fail(restError.mediaType(request.accept.map(({ type }) => type)));
}

const DESCRIPTION: ReadonlySet<string> = new Set([
  ...['application/openapi+json', 'application/json', 'application/*', '*/*'],
]);

function findDescription({ type }: MediaRange): MediaType | undefined {
  return DESCRIPTION.has(type) ? JSON_ARRAY : undefined;
}

function findOffered(cache: SchemaCache, settings: MediaSettings, request: ParsedRequest) {
  const offers = listOffers(cache, request);
  return (range: MediaRange): MediaType | undefined =>
    toPlan(range, settings, offers) ?? toPlain(range, offers);
}

/** What answers beside the forms that every resource has, by its type. */
type Offers = (type: string) => PlainMedia | undefined;

const GEOJSON = 'application/geo+json';

const PLAN = 'application/vnd.pgrst.plan';

/** The vendor's own types cannot be overridden, all others can. */
function toPlain(
  { type, stripNulls }: Pick<MediaRange, 'type' | 'stripNulls'>,
  find: Offers,
): PlainMedia | undefined {
  switch (type) {
    case 'application/vnd.pgrst.array+json':
    case 'application/vnd.pgrst.array':
      return { kind: 'json', single: false, stripNulls };
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.object':
      return { kind: 'json', single: true, stripNulls };
    case '*/*':
    case 'application/*':
    case 'application/json':
      return find(type) ?? JSON_ARRAY;
    case 'text/csv':
      return find(type) ?? { kind: 'csv' };
    default:
      return find(type);
  }
}

function toPlan(
  { type, planOf, explain }: MediaRange,
  { plans = false }: MediaSettings,
  offers: Offers,
): MediaType | undefined {
  const format = [PLAN, `${PLAN}+text`].includes(type)
    ? 'text'
    : type === `${PLAN}+json`
      ? 'json'
      : undefined;
  if (format === undefined || !plans) return undefined;
  const of = toPlain({ type: planOf ?? 'application/json', stripNulls: false }, offers);
  if (of === undefined) return undefined;
  const options = explain.length === 0 ? '' : `; options=${explain.join('|')}`;
  const contentType = `${PLAN}+${format}; for="${nameType(of)}"${options}; charset=utf-8`;
  return { kind: 'plan', format, options: explain, contentType, of };
}

/** Without its character set. */
function nameType(media: PlainMedia): string {
  if (media.kind === 'csv') return 'text/csv';
  if (media.kind === 'geojson') return GEOJSON;
  if (media.kind !== 'json') return media.contentType.replace(/; *charset=.*$/, '');
  if (!media.single && !media.stripNulls) return 'application/json';
  const form = media.single ? 'object' : 'array';
  return `application/vnd.pgrst.${form}+json${media.stripNulls ? ';nulls=stripped' : ''}`;
}

function listOffers(cache: SchemaCache, { target, schema, query }: ParsedRequest): Offers {
  if (target.kind === 'root') return () => undefined;
  const key = keyOf(schema, target.name);
  // An aggregate takes whole rows of its relation: nothing may be left out of them, or added.
  const isWhole = query.select.every((item) => item.kind === 'field' && isStar(item.field));
  if (target.kind === 'relation')
    return offer(cache, isWhole ? { schema, name: target.name } : undefined, undefined);
  const routines = cache.functions.get(key) ?? [];
  const row = routines.find(({ returnsRelation }) => returnsRelation !== undefined)?.returnsRelation;
  return offer(
    cache,
    isWhole ? row : undefined,
    returnsOne(routines) ? cache.forms.values.get(key) : undefined,
  );
}

function isStar({ name, path }: { readonly name: string; readonly path: readonly unknown[] }): boolean {
  return name === '*' && path.length === 0;
}

function returnsOne(routines: readonly Routine[]): boolean {
  return routines.some(({ returns, returnsSet }) => returns === 'value' && !returnsSet);
}

function offer(
  { forms }: SchemaCache,
  row: QualifiedName | undefined,
  value: MediaValue | undefined,
): Offers {
  const own = (row && forms.handlers.get(keyOf(row.schema, row.name))) ?? [];
  const pick = (handlers: readonly MediaHandler[], type: string) =>
    handlers.find(({ mediaType }) => mediaType === type);
  return (type) => {
    // A catch-all comes before every other.
    if (value?.mediaType === '*/*' || value?.mediaType === type)
      return { kind: 'value', contentType: toContentType(value), isBytes: value.isBytes };
    const handler = pick(own, '*/*') ?? pick(own, type);
    if (handler !== undefined) return toAggregate(handler, row);
    const any = pick(forms.anyRow, type);
    if (any !== undefined) return toAggregate(any, undefined);
    return type === GEOJSON && forms.toFeature ? { kind: 'geojson', toFeature: forms.toFeature } : undefined;
  };
}

function toAggregate(handler: MediaHandler, row: QualifiedName | undefined): PlainMedia {
  const { aggregate, isBytes } = handler;
  return { kind: 'aggregate', contentType: toContentType(handler), aggregate, row, isBytes };
}

const IN_UTF8: ReadonlySet<string> = new Set([
  ...['text/plain', 'text/xml', 'text/csv', 'application/json', GEOJSON],
  'application/x-www-form-urlencoded',
]);

/** Of a catch-all nobody knows the type: it may set the header itself. */
function toContentType({ mediaType }: MediaValue): string {
  if (mediaType === '*/*') return 'application/octet-stream';
  return IN_UTF8.has(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
}
