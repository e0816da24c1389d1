import type { Caller } from '../kernel/caller-context.ts';
import type { Keyring } from '../kernel/keyring.ts';
import { resolveCaller } from '../kernel/resolve-caller.ts';
import type { Library } from './library.ts';

/**
 * Whose token it is: a person's. Visitors and the operator's key have no library.
 * @param authorization the header; a key in `apikey` is no person's
 * @returns undefined for any other token, and for one that does not verify
 */
export function identifyPerson(
  keyring: Keyring,
  authorization: string | undefined,
  now: Date,
): Caller | undefined {
  if (authorization === undefined) return undefined;
  const resolved = resolveCaller(keyring, { authorization }, now);
  if (!resolved.ok || resolved.caller.role !== 'authenticated') return undefined;
  return typeof resolved.caller.claims['sub'] === 'string' ? resolved.caller : undefined;
}

/** What a token may do, as the database's own policies judge it in this moment. */
export type Access = {
  /** Whether its session has not ended. */
  readonly isOpen: boolean;
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  readonly mayShare: boolean;
};

/** Asks the database, so that a session that has ended ends here in the same moment. @throws pg.DatabaseError when it cannot be asked */
export async function readAccess(library: Library): Promise<Access> {
  const { rows } = await library.read<Access>({
    name: 'library_access',
    text: `select private.is_session_open() as "isOpen", private.may_read_links() as "mayRead",
      private.may_write_links() as "mayWrite", private.may_share() as "mayShare"`,
  });
  return rows[0] ?? { isOpen: false, mayRead: false, mayWrite: false, mayShare: false };
}

/**
 * Whether a token is good at these addresses. One that names a server (RFC 8707) must name one of them, or the installation; others, such as
 * personal tokens, are for all of it.
 * @param audience the token's claim `aud`
 * @param siteUrl without a slash at its end
 */
export function isForThisServer(audience: unknown, siteUrl: string, paths: readonly string[]): boolean {
  const named = (Array.isArray(audience) ? audience : [audience]).filter(
    (one): one is string => typeof one === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(one),
  );
  const own = ['', ...paths].map((path) => withoutSlash(new URL(`${siteUrl}${path}`)));
  return named.every((one) => {
    const url = URL.parse(one);
    return url !== null && own.includes(withoutSlash(url));
  });
}

function withoutSlash({ href }: URL): string {
  return href.replace(/\/$/, '');
}
