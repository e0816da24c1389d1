/** Country and digits, E.164: the country first, 15 digits at most. */
const E164 = /^\+[1-9]\d{7,14}$/;
/** Area and number as they are written in Brazil, with the country or without; eight digits after the area for a fixed line. */
const BRAZILIAN = /^(?:55|0)?([1-9]{2}\d{8,9})$/;

/**
 * The number that somebody has typed, in the form of E.164. Without a country it is a Brazilian one, with its area.
 * @returns null for what is none
 */
export function readPhoneNumber(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  const local = BRAZILIAN.exec(digits)?.[1];
  const number = text.trim().startsWith('+') ? `+${digits}` : `+55${local ?? ''}`;
  return E164.test(number) ? number : null;
}
