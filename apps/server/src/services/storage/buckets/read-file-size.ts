import { storageError } from '../storage-error.ts';

const SIZE = /^(\d+(?:\.\d+)?) ?(gb|mb|kb|b)?$/i;
/** Decimal, as the platform counts them here. */
const UNITS: Readonly<Record<string, number>> = { gb: 1e9, mb: 1e6, kb: 1e3, b: 1 };

/**
 * What a bucket allows a file to weigh, in bytes: a number, or a text such as `20mb`. Null and undefined stay what they are.
 * @throws StorageError for another text, and for more than the service allows at all.
 */
export function readFileSize(wish: unknown, serviceLimit: number): number | null | undefined {
  if (wish === null || wish === undefined) return wish;
  const isText = typeof wish === 'string' || typeof wish === 'number';
  const [, amount = '', unit = 'b'] = (isText && SIZE.exec(String(wish).trim())) || [];
  const bytes = Math.round(Number(amount) * (UNITS[unit.toLowerCase()] ?? 1));
  if (amount === '' || !Number.isSafeInteger(bytes)) throw storageError.invalidFileSizeLimit();
  if (bytes > serviceLimit) throw storageError.tooLarge();
  return bytes;
}
