const MAX_LENGTH = 2048;
/** What opens a program of the person's own machine; nothing of it may run in a browser (RFC 8252, section 7.1: reverse domain names). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/**
 * What is wrong with an address that codes are to be sent to, if anything.
 * Allowed: https, http on a loopback address, and an app's own scheme (OAuth 2.1, section 2.3; RFC 8252, section 7).
 */
export function findRedirectUriFault(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  // What follows is compared and sent as it was written: characters that browsers drop or read in two ways have no place in it.
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\,*"<>^`{|}]/.test(uri)) return 'has characters that must be encoded';
  if (!URL.canParse(uri)) return 'is no absolute URL';
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#')) return 'must not have a fragment';
  if (username !== '' || password !== '') return 'must not have a user or a password';
  if (/(?:^|\/|%2f)(?:\.|%2e){1,2}(?:$|[/?]|%2f)/i.test(uri.slice(protocol.length)))
    return 'must not have dot segments';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:')
    return isLoopback(hostname) ? undefined : 'may be http on a loopback address only';
  return PRIVATE_SCHEME.test(protocol) ? undefined : 'has a scheme that is not allowed';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/**
 * Whether an address is one of those a program registered: letter by letter (RFC 9700, section 2.1). A program on the person's machine
 * takes the port it finds free, so on loopback addresses any port does (RFC 8252, section 7.3).
 */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const portless = withoutLoopbackPort(uri);
  return portless !== undefined && registered.some((one) => withoutLoopbackPort(one) === portless);
}

function withoutLoopbackPort(uri: string): string | undefined {
  if (findRedirectUriFault(uri) !== undefined) return undefined;
  const match = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri);
  return match ? `${match[1]}${match[2]}` : undefined;
}

/**
 * Whether nobody but the registered program can get what is sent there. On a person's own machine any program may listen
 * (RFC 8252, section 8.6): there the person is asked each time.
 */
export function provesIdentity(uri: string): boolean {
  return uri.startsWith('https:');
}

/** The address with parameters added to those that it has (RFC 6749, section 4.1.2). */
export function addParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
