/** Pages of the organiser, by the beginning of their address. */
const GUARDED = ['/dashboard', '/category/', '/search', '/lixeira', '/profile', '/plans'] as const;

/** A picture by its name, and of the organiser the page within its frame. */
export interface FirstPicture {
  readonly name: 'login' | 'organiser';
  readonly page: string;
}

/**
 * The picture to show while the app's code comes: where the app will certainly lead, else null. Somebody who is not signed in will
 * see the form wherever they meant to go; who comes by a mail or from a provider sees something else.
 */
export function chooseFirstPicture(
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
  signedIn: boolean,
): FirstPicture | null {
  const page = GUARDED.find((beginning) => pathname.startsWith(beginning));
  if (signedIn) {
    if (pathname === '/login') return { name: 'organiser', page: '/dashboard' };
    return page === undefined ? null : { name: 'organiser', page };
  }
  if (hash !== '' || /[?&](?:code|error|notice|via|token_hash)=/.test(search)) return null;
  return page !== undefined || pathname === '/login' ? { name: 'login', page: '' } : null;
}

/** Where a visitor meant to go, for the form's way to a new account; null for who came to sign in. */
export function chooseWayBack({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | null {
  return pathname === '/login' ? new URLSearchParams(search).get('from') : pathname + search;
}
