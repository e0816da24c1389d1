/** Query parameters that open something, or say who somebody is. */
const SECRET_PARAMETERS =
  /^(apikey|token|token_hash|access_token|refresh_token|provider_token|code|auth_code|code_verifier|password|email|nonce|state|secret|signature)$/i;
/** Values of table filters are people's own words and addresses: the operator stays, the value goes. */
const FILTER_VALUE = /^((?:not\.)?[a-z]+(?:\([^)]*\))?\.).+$/s;
/** These say how to present, and hold no person's data. */
const PLAIN_PARAMETERS =
  /^(select|order|limit|offset|columns|on_conflict|type|grant_type|page|per_page|vsn|scope)$/;

/** Whoever has the address of a checkout, a portal or a receipt may use it. */
const SECRET_PATH = /^(\/payment-emulator\/(?:checkout|portal|invoices)\/)[^/?]+/;

/** A request's path and query as a log may keep them. Never throws, whatever was sent. */
export function redactUrl(address: string): string {
  const url = address.replace(SECRET_PATH, '$1[redacted]');
  const start = url.indexOf('?');
  if (start === -1) return url;
  const parts = url
    .slice(start + 1)
    .split('&')
    .map((part) => redactParameter(part));
  return `${url.slice(0, start)}?${parts.join('&')}`;
}

function redactParameter(part: string): string {
  const equals = part.indexOf('=');
  if (equals === -1) return part;
  const [name, value] = [part.slice(0, equals), part.slice(equals + 1)];
  if (SECRET_PARAMETERS.test(name)) return `${name}=[redacted]`;
  if (PLAIN_PARAMETERS.test(name)) return part;
  const operator = FILTER_VALUE.exec(value)?.[1];
  return `${name}=${operator ?? ''}[redacted]`;
}
