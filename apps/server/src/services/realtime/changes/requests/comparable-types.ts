import type { PublishedColumn } from '../catalogue/publication.ts';

/**
 * Types whose text, as Postgres writes it, tells here what Postgres would say about the values. Of all others (times,
 * fractions, JSON, arrays, text in an order) the database is asked.
 */
export type ComparableType = {
  /** @returns the value as Postgres writes it; undefined where Postgres must be asked, or must refuse it. */
  toCanonical(value: string): string | undefined;
  /** Less than zero, zero, more; null where the order of texts is not the order of values. */
  readonly compare: ((one: string, other: string) => number) | null;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INTEGER = /^-?\d{1,19}$/;
const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['true', 't'],
  ['t', 't'],
  ['false', 'f'],
  ['f', 'f'],
]);

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function integer(bits: bigint): ComparableType {
  const limit = 1n << (bits - 1n);
  return {
    toCanonical(value) {
      if (!INTEGER.test(value)) return undefined;
      const number = BigInt(value);
      return number < limit && number >= -limit ? String(number) : undefined;
    },
    compare: (one, other) => Number(BigInt(one) - BigInt(other)),
  };
}

const TEXT: ComparableType = {
  toCanonical: (value) => (value.includes('\0') ? undefined : value),
  compare: null,
};
const LABEL: ComparableType = { toCanonical: () => undefined, compare: null };

const TYPES: ReadonlyMap<number, ComparableType> = new Map([
  [16, { toCanonical: (value) => BOOLEANS.get(value), compare: byText }],
  [20, integer(64n)],
  [21, integer(16n)],
  [23, integer(32n)],
  [25, TEXT],
  [1043, TEXT],
  // In lower-case hexadecimal digits the order of texts is that of bytes.
  [2950, { toCanonical: (value) => (UUID.test(value) ? value.toLowerCase() : undefined), compare: byText }],
]);

export function findComparableType(column: PublishedColumn): ComparableType | undefined {
  if (column.isEnum) return LABEL;
  return column.isDeterministic ? TYPES.get(column.baseOid) : undefined;
}
