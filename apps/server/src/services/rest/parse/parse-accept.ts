import { fail, type Outcome, ok } from '../outcome.ts';
import { restError } from '../rest-error.ts';

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
