/** The picture of a person. */
export const PICTURE_LIMITS = {
  /** Bytes of a file that is opened at all. */
  fileBytes: 25_000_000,
  /** Pixels that are decoded; more is no photograph but an attempt. */
  pixels: 100_000_000,
  /** Pixels of the shorter side. */
  shortestSide: 32,
  /** What is kept, pixels a side. */
  side: 256,
} as const;
