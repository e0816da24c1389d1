/** Behind which entry the next page begins. */
export type PageCursor = {
  readonly name: string;
  /** The time that is sorted by, as the database writes it; empty when sorted by name. */
  readonly value: string;
};

/** A text that means nothing to the client. */
export function writeCursor(sorting: string, { name, value }: PageCursor): string {
  return Buffer.from(JSON.stringify([sorting, name, value])).toString('base64url');
}

const TIME = /^(?:|\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)*)$/;

/** Undefined for what this service has not written, or has written for another order. */
export function readCursor(sorting: string, text: string): PageCursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== sorting) return undefined;
    const [, name, value] = parts;
    if (typeof name !== 'string' || typeof value !== 'string' || !TIME.test(value)) return undefined;
    return { name, value };
  } catch {
    return undefined;
  }
}
