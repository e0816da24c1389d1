/**
 * Two addresses that compare equal are one for `import_library` and `find_links_by_url`: scheme and host without case, a bare
 * slash after the host is nothing. Twin of `private.comparable_url`.
 */
export function comparableUrl(url: string): string {
  const address = url.trim();
  const place = /^[a-z]+:\/\/[^/?#]*/i.exec(address)?.[0] ?? '';
  const path = address.slice(place.length);
  // What stands before an at sign may be a password, where case counts.
  const shown = place.includes('@') ? place : place.replace(/[A-Z]+/g, (part) => part.toLowerCase());
  return path === '/' ? shown : shown + path;
}
