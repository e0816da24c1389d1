/** Who asks, each with a token of its own. */
export const CALLERS = [
  /** No token at all. */
  'nobody',
  /** The public key. */
  'guest',
  /** Ana, in a session that has proven a second factor. */
  'person',
  /** Bia, who asks for what is Ana's wherever something is named. */
  'stranger',
  /** An account without an address. */
  'visitor',
  /** Ana's password alone, where Ana has a second factor. */
  'firstLevel',
  /** Caio, whose token was signed before the ban. */
  'banned',
  /** A program of Ana's that may read links, and knows not for whom. */
  'reader',
  /** One that may read and write them, and knows her address. */
  'writer',
  /** A token that Ana made for a script. */
  'personal',
  /** What tells a program who Ana is, which opens nothing. */
  'idToken',
  /** Ana's, of a session that she has ended. */
  'signedOut',
  /** Ana's, an hour too old. */
  'expired',
  /** Ana's claims under a stranger's signature. */
  'forged',
  /** The service role. */
  'operator',
] as const;
export type Caller = (typeof CALLERS)[number];
