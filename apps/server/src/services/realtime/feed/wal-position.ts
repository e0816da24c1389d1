/** @returns a position in the write-ahead log, written by Postgres as `16/B374D848`, as a number that grows. */
export function parseWalPosition(text: string): bigint {
  const [upper = '0', lower = '0'] = text.split('/');
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}

/** The reverse of `parseWalPosition`. */
export function formatWalPosition(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}
