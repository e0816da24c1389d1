/** The cover of a link: the own image of its page. */
export const COVER_LIMITS = {
  /** What is kept, pixels. Twice what a card on a telephone is wide. */
  width: 480,
  height: 270,
  /** Pixels of the shorter side; less is a dot that counts visitors, or an icon. */
  shortestSide: 64,
  /** Bytes of a file that a program may keep as one. */
  fileBytes: 131_072,
  /** How many pages are asked at once. */
  atOnce: 3,
  /** Days after which a page that had no image is asked again. */
  askAgainDays: 30,
} as const;
