import ipaddr from 'ipaddr.js';

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

/** All that is routed on the internet so far (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 9637. */
const DOCUMENTATION = ipaddr.IPv6.parseCIDR('3fff::/20');
/** RFC 6052: how a network without IPv4 writes the IPv4 address of a site. */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** `::1.2.3.4`, which was given up long ago (RFC 4291, section 2.5.5.1); the parser takes it for `::ffff:1.2.3.4`. */
const IPV4_COMPATIBLE = /^::\d+\./;

/**
 * Whether an IP address belongs to the public internet. Whatever is not known to be public is not: of IPv6 only global
 * unicast, and none of the old tunnels (6to4, Teredo) that carry another address inside.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || IPV4_COMPATIBLE.test(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? isPublicIPv6(parsed) : parsed.range() === 'unicast';
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicAddress(address.toIPv4Address().toString());
  if (address.match(TRANSLATED)) return isPublicAddress(address.toByteArray().slice(12).join('.'));
  if (!address.match(GLOBAL_UNICAST) || address.match(DOCUMENTATION)) return false;
  return address.range() === 'unicast';
}
