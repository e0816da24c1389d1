/** A Linkoteca that answers at an address of its own: what `/config.json` there says, as far as it is needed here. */
export interface Installation {
  /** Where the app is, without a path: `https://links.exemplo.com.br`. */
  readonly origin: string;
  /** Where its services are. */
  readonly servicesUrl: string;
  /** The public key of its services. */
  readonly anonKey: string;
  /** The program as which the operator has registered the extension; null where it is not. */
  readonly clientId: string | null;
}

/** Whom the extension acts for, and by what. */
export type Session =
  | {
      readonly kind: 'oauth';
      readonly userId: string;
      readonly clientId: string;
      readonly accessToken: string;
      readonly refreshToken: string;
    }
  | { readonly kind: 'token'; readonly userId: string; readonly accessToken: string };

/** What is remembered of a connection. */
export interface Connection {
  readonly installation: Installation;
  readonly session: Session;
  /** The installation takes it no more: revoked, expired, or its account is gone. */
  readonly hasEnded: boolean;
}

const KEY = 'connection';

/** The connection as it is now; null before the first sign-in and after signing out. */
export async function readConnection(): Promise<Connection | null> {
  const { [KEY]: found } = await chrome.storage.local.get(KEY);
  return (found as Connection | undefined) ?? null;
}

/** Keeps a connection, or forgets it. */
export async function writeConnection(connection: Connection | null): Promise<void> {
  if (connection === null) await chrome.storage.local.remove(KEY);
  else await chrome.storage.local.set({ [KEY]: connection });
}

/** Calls back when somebody signs in or out, or the connection ends, in any page of the extension. Returns the way out. */
export function watchConnection(listener: () => void): () => void {
  const look = (changes: Readonly<Record<string, unknown>>) => {
    if (KEY in changes) listener();
  };
  chrome.storage.local.onChanged.addListener(look);
  return () => chrome.storage.local.onChanged.removeListener(look);
}

/** Whose captures they are: the same person elsewhere is another owner. */
export function ownerOf({ installation, session }: Connection): string {
  return `${installation.origin} ${session.userId}`;
}
