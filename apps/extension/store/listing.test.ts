import { describe, expect, test } from 'vitest';
import { BROWSERS, buildManifest } from '../src/manifest.ts';
import { LANGUAGES, LISTINGS } from './listing.ts';
import { writePrivacy } from './write-privacy.ts';

const ASKED = BROWSERS.flatMap((browser) => {
  const { permissions, optional_permissions: optional } = buildManifest(browser, '1.0.0');
  return [...(permissions as string[]), ...(optional as string[])];
});

describe.each(LANGUAGES)('the listing in %s', (language) => {
  const listing = LISTINGS[language];

  test('says why of every permission that is asked for, and of no other', () => {
    expect(Object.keys(listing.permissions).sort()).toEqual([...new Set(ASKED)].sort());
  });

  test('keeps what the stores take', () => {
    expect(listing.description.length).toBeLessThan(16_000);
    for (const reason of [listing.singlePurpose, listing.hosts, ...Object.values(listing.permissions)])
      expect(reason.length).toBeLessThan(1_000);
  });

  test.each(BROWSERS)('has every answer for %s', (browser) => {
    const text = writePrivacy(browser, listing, ['activeTab', 'tabs']);
    for (const part of [
      listing.singlePurpose,
      listing.permissions['tabs'],
      listing.remoteCode,
      listing.hosts,
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('undefined');
  });
});
