import type { QualifiedName } from '../schema-cache/schema-cache.ts';

/** The form of the answer. */
export type MediaType =
  | { readonly kind: 'json'; readonly single: boolean; readonly stripNulls: boolean }
  | { readonly kind: 'csv' }
  /** A feature of each row, by PostGIS' function. */
  | { readonly kind: 'geojson'; readonly toFeature: QualifiedName }
  /** An aggregate of the schema's own makes it of the rows. */
  | {
      readonly kind: 'aggregate';
      readonly contentType: string;
      readonly aggregate: QualifiedName;
      /** The relation whose rows it takes; undefined where it takes any. */
      readonly row: QualifiedName | undefined;
      readonly isBytes: boolean;
    }
  /** What a function returned, as it is. */
  | { readonly kind: 'value'; readonly contentType: string; readonly isBytes: boolean }
  /** How Postgres would come to an answer of that form. */
  | {
      readonly kind: 'plan';
      readonly format: 'text' | 'json';
      readonly options: readonly ExplainOption[];
      readonly contentType: string;
      readonly of: Exclude<MediaType, { readonly kind: 'plan' }>;
    };

const EXPLAIN_OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;
export type ExplainOption = (typeof EXPLAIN_OPTIONS)[number];

/** One of the types that a client takes. */
export type MediaRange = {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly stripNulls: boolean;
  /** Of a plan: the type whose plan it is, and what `explain` is told. */
  readonly planOf: string | undefined;
  readonly explain: readonly ExplainOption[];
};

const ANYTHING: readonly MediaRange[] = [readRange('*/*').range];

/** What a client takes, the best first: by quality, then by order (RFC 9110, 12.5.1). */
export function parseAccept(header: string | undefined): readonly MediaRange[] {
  if (header === undefined || header === '*/*') return ANYTHING;
  const accepted = header
    .split(',')
    .map(readRange)
    .filter(({ range, quality }) => range.type !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return accepted.length === 0 ? ANYTHING : accepted.map(({ range }) => range);
}

function readRange(text: string): { readonly range: MediaRange; readonly quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const read = (name: string) =>
    parameters
      .find((parameter) => parameter.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replace(/^"(.*)"$/, '$1');
  const quality = read('q');
  const options = read('options')?.split('|') ?? [];
  return {
    range: {
      type,
      stripNulls: parameters.includes('nulls=stripped'),
      planOf: read('for'),
      explain: EXPLAIN_OPTIONS.filter((option) => options.includes(option)),
    },
    quality: quality === undefined ? 1 : Number(quality) || 0,
  };
}

/** What the client asks through `Prefer` (RFC 7240). */
export type Preferences = {
  readonly representation: 'representation' | 'minimal' | 'headers-only' | undefined;
  readonly count: 'exact' | 'planned' | 'estimated' | undefined;
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  readonly missing: 'default' | 'null' | undefined;
  /** How the transaction ends, where the settings let a request say so. */
  readonly tx: 'commit' | 'rollback' | undefined;
  readonly handling: 'strict' | 'lenient' | undefined;
  readonly maxAffected: number | undefined;
  /** As it was asked for: whether Postgres knows the name is seen later. */
  readonly timeZone: string | undefined;
  /** Preferences that mean nothing here: ignored, unless handling is strict. */
  readonly unknown: readonly string[];
};

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
  tx: ['commit', 'rollback'],
};

const NONE = readPreferences('');

/** The first preference of a kind wins, over all `Prefer` headers in their order. */
export function parsePreferences(header: string | undefined): Preferences {
  return header === undefined ? NONE : readPreferences(header);
}

function isKnown(kind: string, value: string): boolean {
  if (kind === 'max-affected') return /^\d{1,15}$/.test(value);
  if (kind === 'timezone') return /^[\w+/:-]{1,64}$/.test(value);
  return Object.hasOwn(KNOWN, kind) && KNOWN[kind]?.includes(value) === true;
}

function readPreferences(header: string): Preferences {
  const found: Record<string, string> = {};
  const unknown: string[] = [];
  for (const part of header.split(',')) {
    const preference = part.trim();
    if (preference === '') continue;
    const equals = preference.indexOf('=');
    const kind = preference.slice(0, Math.max(equals, 0));
    const value = preference.slice(equals + 1);
    if (isKnown(kind, value)) found[kind] ??= value;
    else unknown.push(preference);
  }
  return {
    representation: found['return'] as Preferences['representation'],
    count: found['count'] as Preferences['count'],
    resolution: found['resolution'] as Preferences['resolution'],
    missing: found['missing'] as Preferences['missing'],
    tx: found['tx'] as Preferences['tx'],
    handling: found['handling'] as Preferences['handling'],
    maxAffected: found['max-affected'] === undefined ? undefined : Number(found['max-affected']),
    timeZone: found['timezone'],
    unknown,
  };
}
