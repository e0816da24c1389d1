import type { Server } from 'node:http';
import { findOwnUrl } from './find-own-url.ts';
import type { Keyring } from './kernel/keyring.ts';
import type { PageText, ReadPage } from './services/api/linkding/page-text.ts';

export type PageReaderDeps = {
  readonly server: Pick<Server, 'address'>;
  readonly keyring: Pick<Keyring, 'signAccessToken'>;
  readonly now: () => Date;
};

/** The function gives a page up after five seconds; it may have to start, and to wait for its turn. */
const PATIENCE_MS = 8_000;
const TOKEN_SECONDS = 30;

/**
 * Reads pages by the function `link-preview`, which judges every address, as the person who wants to know: what they may ask for in a minute
 * is one number, whoever asks for them. The token is made for the one call and never leaves this machine.
 */
export function createPageReader({ server, keyring, now }: PageReaderDeps): ReadPage {
  return async (userId, url) => {
    const ownUrl = findOwnUrl(server);
    if (ownUrl === undefined) return undefined;
    const exp = Math.floor(now().getTime() / 1000) + TOKEN_SECONDS;
    const claims = { sub: userId, aud: 'authenticated', role: 'authenticated', exp };
    const authorization = `Bearer ${await keyring.signAccessToken(claims)}`;
    try {
      const response = await fetch(`${ownUrl}/functions/v1/link-preview`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (response.ok) return (await response.json()) as PageText;
      await response.body?.cancel();
      return undefined;
    } catch {
      // Nobody waits for what a page says of itself: its link is saved all the same.
      return undefined;
    }
  };
}
