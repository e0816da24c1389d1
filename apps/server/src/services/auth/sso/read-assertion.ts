import type { Profile } from '@node-saml/node-saml';
import * as v from 'valibot';
import { type AttributeMapping, type Attributes, mapAttributes } from './attribute-mapping.ts';

/** Who somebody is, as an identity provider asserts it. */
export type Asserted = {
  /** The identity provider's own id of the person. */
  readonly subject: string;
  readonly email: string;
  /** What the mapping makes of the attributes. */
  readonly claims: Readonly<Record<string, unknown>>;
};

export type AssertionFault = 'invalid' | 'no_user_id' | 'no_email';

type Expected = {
  readonly acsUrl: string;
  /** Of our question. */
  readonly requestId: string;
  readonly entityId: string;
  readonly mapping: AttributeMapping;
};

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
/** By what names identity providers tell addresses. (Source: GoTrue, `SAMLAssertion.Email`.) */
const EMAIL_ATTRIBUTES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'mail',
  'Mail',
  'email',
  'Email',
];

const attributes = v.optional(v.record(v.string(), v.unknown()), {});
const CONFIRMATION = v.object({
  $: v.object({ Method: v.string() }),
  SubjectConfirmationData: v.tuple([
    v.object({ $: v.object({ Recipient: v.string(), InResponseTo: v.string(), NotOnOrAfter: v.string() }) }),
  ]),
});
const ASSERTION = v.object({
  Assertion: v.object({
    Subject: v.tuple([v.object({ SubjectConfirmation: v.array(v.unknown()) })]),
    Conditions: v.tuple([v.object({ AudienceRestriction: v.array(v.unknown()) })]),
  }),
});

/**
 * What an answer whose signature holds says, if it is meant for us: the answer to our own question, sent to where we are. Only what is signed is
 * read. (SAML 2.0 Profiles, section 4.1.4.3.)
 */
export function readAssertion(
  profile: Profile,
  { acsUrl, requestId, entityId, mapping }: Expected,
): Asserted | AssertionFault {
  const signed = v.safeParse(ASSERTION, profile.getAssertion?.());
  if (!signed.success || profile.issuer !== entityId) return 'invalid';
  const [{ SubjectConfirmation: confirmations }] = signed.output.Assertion.Subject;
  const isForUs = confirmations.some((raw) => {
    const read = v.safeParse(CONFIRMATION, raw);
    if (!read.success || read.output.$.Method !== BEARER) return false;
    const [{ $: data }] = read.output.SubjectConfirmationData;
    return data.Recipient === acsUrl && data.InResponseTo === requestId;
  });
  // One confirmation, so that the one whose time the library has checked is the one that was read here.
  if (!isForUs || confirmations.length !== 1) return 'invalid';
  const told = readAttributes(profile);
  const isName = profile.nameID && profile.nameIDFormat !== TRANSIENT;
  const subject = told[SUBJECT_ID]?.[0] ?? (isName ? profile.nameID : '');
  if (subject === '') return 'no_user_id';
  const claims = mapAttributes(mapping, told);
  const email = readEmail(profile, told, claims);
  return email === '' ? 'no_email' : { subject, email, claims };
}

function readAttributes({ attributes: raw }: Profile): Attributes {
  const read = v.safeParse(attributes, raw);
  if (!read.success) return {};
  return Object.fromEntries(
    Object.entries(read.output).flatMap(([name, value]) => {
      const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
      return values.length === 0 ? [] : [[name, values]];
    }),
  );
}

function readEmail(profile: Profile, told: Attributes, { email }: Record<string, unknown>): string {
  if (typeof email === 'string') return email;
  const named = EMAIL_ATTRIBUTES.find((name) => told[name]?.[0]);
  if (named !== undefined) return told[named]?.[0] ?? '';
  return profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : '';
}
