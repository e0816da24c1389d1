/** Headers of one connection, which say nothing on the next (RFC 9110, section 7.6.1), and those that the server sets itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether a header is passed on between caller and function. */
export function isEndToEnd(name: string): boolean {
  return !HOP_BY_HOP.has(name.toLowerCase());
}
