import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

/** SHA-1, six digits, half a minute: what every authenticator app takes for granted, whatever the address says (RFC 6238). */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Codes of so many steps before and after now are taken, for clocks that are wrong. (Source: GoTrue, `Skew`.) */
const WINDOW = 1;
/** RFC 4226, section 4: a shared secret as long as the hash. */
const SECRET_LENGTH = 20;

export type TotpEnrollment = {
  /** Base32, as it is typed into an app. */
  readonly secret: string;
  /** `otpauth://totp/…`, as apps read it. */
  readonly uri: string;
  /** The address as a picture: an SVG document. */
  readonly qrCode: string;
};

/**
 * A new secret for an authenticator app.
 * @param issuer who the app says the code is for
 * @param account whose code it says it is
 */
export function createTotp({
  issuer,
  account,
}: {
  readonly issuer: string;
  readonly account: string;
}): TotpEnrollment {
  const totp = new TOTP({
    ...PARAMETERS,
    issuer,
    label: account,
    secret: new Secret({ size: SECRET_LENGTH }),
  });
  const uri = totp.toString();
  // The picture goes into an address (`data:…`) as it is: no character of it may end one.
  return { secret: totp.secret.base32, uri, qrCode: renderSVG(uri, { ecc: 'M', border: 4 }) };
}

/**
 * Which time step a code is of.
 * @param secret base32
 * @returns half minutes since 1970; undefined for a code that is none of now
 */
export function findTimeStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  // Compares in constant time.
  const delta = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) }).validate({
    token: code,
    timestamp,
    window: WINDOW,
  });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PARAMETERS.period) + delta;
}
