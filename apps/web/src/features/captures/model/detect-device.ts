/** What a person saves from here, as far as the ways differ. */
export type Device = 'computer' | 'android' | 'ios';

/** The device by what its browser says of itself. An iPad calls itself a Mac, but no Mac can be touched. */
export function detectDevice({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): Device {
  if (/android/i.test(userAgent)) return 'android';
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios';
  return /macintosh/i.test(userAgent) && maxTouchPoints > 1 ? 'ios' : 'computer';
}

/** The keys that show the bar of favourites. */
export function nameBarKeys({ userAgent }: Pick<Navigator, 'userAgent'>): string {
  return /mac os|macintosh/i.test(userAgent) ? '⌘ + Shift + B' : 'Ctrl + Shift + B';
}
