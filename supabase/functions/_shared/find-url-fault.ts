import ipaddr from 'ipaddr.js';
import { isPublicAddress } from './is-public-address.ts';

/** Why the server does not go to an address. */
export type UrlFault = 'not_web' | 'credentials' | 'port' | 'private';

/**
 * Domains that never lead to the internet (RFC 6761, 6762, 7686, 8375, 9476; ICANN's `internal`), and those that
 * routers and companies use inside.
 */
const INNER_DOMAINS = new Set([
  'alt',
  'corp',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'test',
]);
const HOME_NETWORK = '.home.arpa';

/**
 * Judges an address by what is written in it; where its name leads is for the resolver's caller to judge. `URL` has
 * already undone the disguises: `2130706433`, `0x7f.1`, full-width digits and `127.0.0.1.` all read `127.0.0.1` here.
 */
export function findUrlFault({ protocol, username, password, port, hostname }: URL): UrlFault | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return 'not_web';
  if (username !== '' || password !== '') return 'credentials';
  // `URL` leaves out the scheme's own port; the two may be exchanged, nothing else may be knocked at.
  if (port !== '' && port !== '80' && port !== '443') return 'port';
  return isInnerHost(hostname) ? 'private' : undefined;
}

/** The IP address that an address is written with, without the brackets of IPv6; undefined when it is a name. */
export function readLiteral(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

function isInnerHost(hostname: string): boolean {
  const literal = readLiteral(hostname);
  if (literal !== undefined) return !isPublicAddress(literal);
  const name = hostname.replace(/\.+$/, '');
  // A name without a dot is a machine nearby: `intranet`, `metadata`, a container's neighbour.
  if (!name.includes('.')) return true;
  return INNER_DOMAINS.has(name.slice(name.lastIndexOf('.') + 1)) || `.${name}`.endsWith(HOME_NETWORK);
}
