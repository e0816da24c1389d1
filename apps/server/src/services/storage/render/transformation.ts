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
  /** What stays in the picture where `cover` cuts some of it away; `fp`: the point that the offsets name. */
  readonly gravity?: Anchor | 'fp' | undefined;
  /** Of the point, from the left and from above: parts of the width and of the height, 0 to 1. */
  readonly x_offset?: number | undefined;
  readonly y_offset?: number | undefined;
};

/** Sides and corners by imgproxy's names, each as the point of a picture that it is. */
const ANCHORS = {
  ce: [0.5, 0.5],
  no: [0.5, 0],
  so: [0.5, 1],
  ea: [1, 0.5],
  we: [0, 0.5],
  noea: [1, 0],
  nowe: [0, 0],
  soea: [1, 1],
  sowe: [0, 1],
} as const;
type Anchor = keyof typeof ANCHORS;

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
/** However a number from 0 to 1 is written into a token. */
const PART = /^\d(?:\.\d{1,22})?(?:e-\d{1,3})?$/;
const part = v.optional(
  v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(PART), v.transform(Number))]),
    v.minValue(0),
    v.maxValue(1),
  ),
);
const SCHEMA = v.object({
  width: side,
  height: side,
  resize: v.optional(v.picklist(['cover', 'contain', 'fill'])),
  quality: v.optional(v.pipe(toNumber, v.minValue(20), v.maxValue(100))),
  format: v.optional(v.picklist(['origin', 'webp', 'avif'])),
  gravity: v.optional(v.picklist(['fp', ...(Object.keys(ANCHORS) as Anchor[])])),
  x_offset: part,
  y_offset: part,
});

/** Reads what a query or a body asks for; what it says besides means nothing here. @throws StorageError that names what cannot be. */
export function readTransformation(given: unknown): Transformation {
  const result = v.safeParse(SCHEMA, given);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw storageError.invalidRequest(`${v.getDotPath(issue) ?? 'transform'}: ${issue.message}`);
}

/** The point that stays in the picture, as parts of its width and height; undefined: the middle. */
export function findFocus({ gravity, x_offset = 0.5, y_offset = 0.5 }: Transformation) {
  if (gravity === undefined) return undefined;
  const [x, y] = gravity === 'fp' ? [x_offset, y_offset] : ANCHORS[gravity];
  return { x, y };
}

/** How imgproxy, which draws the platform's pictures, calls the ways to fit. */
const RESIZING_TYPES = { cover: 'fill', contain: 'fit', fill: 'force' } as const;

/** `height:10,width:20,resizing_type:fill`, as the platform writes it into `X-Transformations`: what imgproxy is told, in its order. */
export function describeTransformation(transformation: Transformation): string {
  const { height, width, resize = 'cover', quality, format, gravity } = transformation;
  const isSized = height !== undefined || width !== undefined;
  const focus = gravity === 'fp' ? findFocus(transformation) : undefined;
  return [
    ['height', height],
    ['width', width],
    ['resizing_type', isSized ? RESIZING_TYPES[resize] : undefined],
    ['gravity', focus ? `fp:${focus.x}:${focus.y}` : gravity],
    ['quality', quality],
    ['format', format === 'origin' ? undefined : format],
  ]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`)
    .join(',');
}

/** `height:10,width:20`, as the platform writes it into tokens. */
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
