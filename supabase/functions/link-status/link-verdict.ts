/** What is known of a link after looking at it once. `status` is what the site said (RFC 9110, section 15); null where nobody answered. */
export type LinkVerdict = {
  readonly outcome: 'works' | 'fails' | 'unsure';
  readonly status: number | null;
};
