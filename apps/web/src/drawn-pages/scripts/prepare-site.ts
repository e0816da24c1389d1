import { markMember } from './mark-member.ts';

interface SiteVisit {
  readonly root: HTMLElement;
  readonly location: Pick<Location, 'pathname' | 'search' | 'hash' | 'replace' | 'reload'>;
  /** Tells of steps through the history; the window. */
  readonly steps: Pick<EventTarget, 'addEventListener'>;
  /** Gives the storage; throws where the browser keeps none. */
  readonly open: () => Storage;
}

/** What the auth service appends to the address that a mail or another provider leads to (protocol note, section 3). */
const AUTH_ANSWER = /[?#&](?:code|error|error_code|access_token)=/;

/**
 * Before the first paint. Sends on to the app whoever belongs there: a person with a saved sign-in from the front page to
 * their dashboard, and the answer of the auth service from any page to /login, which understands it. Others see the
 * page in the theme they have fixed.
 *
 * No loop: nothing in the app leads a person with a saved sign-in back here, and a sign-in that turns out to be dead is
 * removed by the app before it shows /login.
 */
export function prepareSite({ root, location, steps, open }: SiteVisit): void {
  markMember(root, open);
  const { pathname, search, hash } = location;
  // Whoever came by a link of the app shares a history with its document: a step back changes the address and nothing else.
  steps.addEventListener('popstate', () => {
    if (location.pathname !== pathname) location.reload();
  });
  if (AUTH_ANSWER.test(search + hash)) leave(`/login${search}${hash}`);
  else if (root.dataset['page'] === 'front' && hasSavedSession(open)) leave('/dashboard');

  function leave(address: string) {
    // Until the next page comes this one stays blank.
    root.dataset['leaving'] = '';
    location.replace(address);
  }
}

/** As the app reads it (shared/lib/session/create-session-store.ts): what is broken there counts as nothing here, too. */
function hasSavedSession(open: () => Storage): boolean {
  try {
    const storage = open();
    return Object.keys(storage).some(
      (key) => /^sb-.*-auth-token$/.test(key) && isSession(storage.getItem(key)),
    );
  } catch {
    return false;
  }
}

function isSession(text: string | null): boolean {
  try {
    const saved = JSON.parse(text ?? 'null');
    return [saved.access_token, saved.refresh_token, saved.user.id].every(
      (part) => typeof part === 'string' && part !== '',
    );
  } catch {
    return false;
  }
}
