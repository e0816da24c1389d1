import type { ReturnPlaces } from './find-return-address.ts';

/** From the settings `SITE_URL` and `REDIRECT_ALLOW_LIST`. @param read a setting's text, empty when it is not set. */
export function readReturnPlaces(read: (name: string) => string): ReturnPlaces {
  const siteUrl = read('SITE_URL');
  if (siteUrl === '') throw new Error('SITE_URL is not set');
  const list = read('REDIRECT_ALLOW_LIST').split(',');
  return { siteUrl, allowList: list.map((glob) => glob.trim()).filter((glob) => glob !== '') };
}
