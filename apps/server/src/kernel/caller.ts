/** The three roles a request may run as: the platform's own names (protocol note, section 2.4). */
export type CallerRole = 'anon' | 'authenticated' | 'service_role';

/** Who asks. `claims` is the verified token's payload, `role` included, as policies read it through `auth.jwt()`. */
export type Caller = {
  readonly role: CallerRole;
  readonly claims: Readonly<Record<string, unknown>>;
};

/** What SQL may know of the HTTP request (`request.method`, `request.path`, `request.headers`). */
export type RequestContext = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};
