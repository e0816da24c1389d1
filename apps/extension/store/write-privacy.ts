import type { Browser } from '../src/manifest.ts';
import { DATA_KINDS, type Listing } from './listing.ts';

/** The answers to a store's questions about privacy, to be copied into its form. */
export function writePrivacy(browser: Browser, listing: Listing, permissions: readonly string[]): string {
  const reasons = permissions.map((name) => `${name}\n${listing.permissions[name] ?? ''}`);
  return [
    `Single purpose\n${listing.singlePurpose}`,
    ...reasons,
    `Host permissions\n${listing.hosts}`,
    `Remote code\n${listing.remoteCode}`,
    `Data\n${DATA_KINDS[browser].join(', ')}\n${listing.dataUse.join('\n')}`,
    '',
  ].join('\n\n');
}
