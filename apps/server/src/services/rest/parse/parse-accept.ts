import { fail, type Outcome, ok, restError } from '../rest-error.ts';

/** The form of the answer. */
export type MediaType =
  | { readonly kind: 'json'; readonly single: boolean; readonly stripNulls: boolean }
  | { readonly kind: 'csv' };

const JSON_ARRAY: MediaType = { kind: 'json', single: false, stripNulls: false };

/** Picks the first acceptable type, by quality, then by order (RFC 9110, 12.5.1). */
export function parseAccept(header: string | undefined): Outcome<MediaType> {
  if (header === undefined || header === '*/*' || header === 'application/json') return ok(JSON_ARRAY);
  const accepted = header
    .split(',')
    .map(readRange)
    .filter((range) => range.type !== '')
    .sort((a, b) => b.quality - a.quality);
  if (accepted.length === 0) return ok(JSON_ARRAY);
  for (const range of accepted) {
    const media = toMediaType(range);
    if (media !== undefined) return ok(media);
  }
  return fail(restError.mediaType(accepted.map((range) => range.type)));
}

type MediaRange = {
  readonly type: string;
  readonly stripNulls: boolean;
  readonly quality: number;
};

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return {
    type,
    stripNulls: parameters.includes('nulls=stripped'),
    quality: quality === undefined ? 1 : Number(quality) || 0,
  };
}

function toMediaType({ type, stripNulls }: MediaRange): MediaType | undefined {
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return JSON_ARRAY;
    case 'application/vnd.pgrst.array+json':
    case 'application/vnd.pgrst.array':
      return { kind: 'json', single: false, stripNulls };
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.object':
      return { kind: 'json', single: true, stripNulls };
    case 'text/csv':
      return { kind: 'csv' };
    default:
      return undefined;
  }
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

function readPreferences(header: string): Preferences {
  const found: Record<string, string> = {};
  const unknown: string[] = [];
  for (const part of header.split(',')) {
    const preference = part.trim();
    if (preference === '') continue;
    const equals = preference.indexOf('=');
    const kind = preference.slice(0, Math.max(equals, 0));
    const value = preference.slice(equals + 1);
    const known =
      kind === 'max-affected'
        ? /^\d{1,15}$/.test(value)
        : Object.hasOwn(KNOWN, kind) && KNOWN[kind]?.includes(value);
    if (known) found[kind] ??= value;
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
    unknown,
  };
}
