import ipaddr from 'ipaddr.js';

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
