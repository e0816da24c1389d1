/** Importing bookmark files. */
export const IMPORT_LIMITS = {
  /** Bytes of a file that is read at all: browsers put a picture into each line. */
  fileBytes: 100_000_000,
  /** Links of one file. */
  links: 100_000,
  /** Links of one call: each is one transaction, and a slow phone sends it in seconds. The database takes 1,000. */
  linksPerPart: 500,
  /** UTF-8 bytes of one call, a quarter of what the service takes. */
  bytesPerPart: 250_000,
  /** Hours in which an import can be taken back. */
  undoHours: 24,
} as const;
