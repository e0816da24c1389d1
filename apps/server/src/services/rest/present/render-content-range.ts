/** `0-24/100`, `0-24/*`, `*\/0`: first and last row of the page and how many there are (RFC 9110, 14.4, unit `items`). */
export function renderContentRange(first: number, last: number, total: number | undefined): string {
  const range = first <= last && total !== 0 ? `${first}-${last}` : '*';
  return `${range}/${total ?? '*'}`;
}
