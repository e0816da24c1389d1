import * as v from 'valibot';
import { storageError } from '../storage-error.ts';

/** How a picture is shown. */
export type Transformation = {
  /** Pixels. */
  readonly width?: number | undefined;
  /** Pixels. */
  readonly height?: number | undefined;
  readonly resize?: 'cover' | 'contain' | 'fill' | undefined;
  /** Of formats that lose something, per cent. */
  readonly quality?: number | undefined;
  /** `origin` keeps the format of the file; without a word the client's `Accept` decides. */
  readonly format?: 'origin' | 'webp' | 'avif' | undefined;
};

/** Pixels, the platform's own bound: what asks for more gets this. */
const LARGEST_SIDE = 2500;

const toNumber = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d{1,9}$/), v.transform(Number))]),
  v.integer(),
);
const side = v.optional(
  v.pipe(
    toNumber,
    v.minValue(0),
    // Nothing is asked for where nothing is said.
    v.transform((pixels) => (pixels === 0 ? undefined : Math.min(pixels, LARGEST_SIDE))),
  ),
);
const SCHEMA = v.object({
  width: side,
  height: side,
  resize: v.optional(v.picklist(['cover', 'contain', 'fill'])),
  quality: v.optional(v.pipe(toNumber, v.minValue(20), v.maxValue(100))),
  format: v.optional(v.picklist(['origin', 'webp', 'avif'])),
});

/** Reads what a query or a body asks for; what it says besides means nothing here. @throws StorageError that names what cannot be. */
export function readTransformation(given: unknown): Transformation {
  const result = v.safeParse(SCHEMA, given);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw storageError.invalidRequest(`${v.getDotPath(issue) ?? 'transform'}: ${issue.message}`);
}

/** `height:10,width:20`, as the platform writes it into tokens and `X-Transformations`. */
export function writeTransformation(transformation: Transformation): string {
  return Object.entries(transformation)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`)
    .join(',');
}

/** The other way round, of what this server has signed. */
export function parseTransformation(text: string): Transformation {
  return readTransformation(
    Object.fromEntries(text.split(',').flatMap((part) => (part === '' ? [] : [part.split(':')]))),
  );
}
