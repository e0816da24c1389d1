const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

const STEP = 1024;

/** '0 bytes', '1 byte', '1,5 MB': a size as a Brazilian reads it, in steps of 1024, one decimal below ten. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return '';
  let value = bytes;
  let unit = 0;
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  const number = value.toLocaleString('pt-BR', { maximumFractionDigits: digits });
  return unit === 0 && bytes === 1 ? '1 byte' : `${number} ${UNITS[unit]}`;
}
