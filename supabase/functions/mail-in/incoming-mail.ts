import { addressParser } from 'postal-mime';

/** A message as its provider hands it over, whatever the provider. */
export type IncomingMail = {
  /** Where it was sent, by its envelope: what its headers say may be anything. */
  readonly recipients: readonly string[];
  /** The address in `From`, in lower case; empty where there is none, or more than one. */
  readonly sender: string;
  /** Whether the provider found SPF or DKIM to pass for the domain of that address. */
  readonly isVerified: boolean;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: MailHeaders;
  /** The provider's own name for the message, for those without a Message-ID. */
  readonly fallbackId: string;
};

/** What came instead of a message. */
export type Unreceived = 'forged' | 'too_large' | 'unreadable';

/** Each header in the order of the message. A sender may write any of them, also twice. */
export type MailHeaders = readonly (readonly [name: string, value: string])[];

/** Every value of a header. @param name in lower case. */
export function valuesOf(headers: MailHeaders, name: string): readonly string[] {
  return headers.flatMap(([own, value]) => (own.toLowerCase() === name ? [value] : []));
}

/** A name and an address have room in it. */
const MOST_FROM = 2_000;

/** The one address of a header's text; empty where it has none, several or a group. */
export function readAddress(text: string): string {
  const [only, ...more] = addressParser(text.slice(0, MOST_FROM));
  return only?.address === undefined || more.length > 0 ? '' : only.address.toLowerCase();
}

/** What stands after the last @, in lower case; empty without one. */
export function domainOf(address: string): string {
  return /@([^@\s<>]+)$/.exec(address.trim().replace(/>$/, ''))?.[1]?.toLowerCase() ?? '';
}

/**
 * Whether what was proven for one domain speaks for a sender of another: the same, or one below it, as DKIM and SPF are aligned (RFC
 * 7489, section 3.1; who has the upper domain has the lower one).
 */
export function speaksFor(proven: string, senderDomain: string): boolean {
  const domain = proven.toLowerCase();
  if (!domain.includes('.') || senderDomain === '') return false;
  return senderDomain === domain || senderDomain.endsWith(`.${domain}`);
}
