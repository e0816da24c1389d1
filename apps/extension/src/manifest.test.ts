import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import english from '../locales/en/messages.json' with { type: 'json' };
import portuguese from '../locales/pt_BR/messages.json' with { type: 'json' };
import { BROWSERS, buildManifest } from './manifest.ts';

const folder = join(import.meta.dirname, '..');

describe.each(BROWSERS)('the manifest for %s', (browser) => {
  const manifest = buildManifest(browser, '1.2.3');
  const text = JSON.stringify(manifest);

  test('asks for little before a person is asked', () => {
    expect(manifest['permissions']).toEqual(
      expect.arrayContaining(['activeTab', 'alarms', 'contextMenus', 'identity', 'scripting', 'storage']),
    );
    for (const wide of ['tabs', 'history', 'bookmarks', 'cookies', 'webRequest', '<all_urls>'])
      expect(manifest['permissions']).not.toContain(wide);
    expect(manifest).not.toHaveProperty('host_permissions');
    expect(manifest).not.toHaveProperty('content_scripts');
    expect(manifest).not.toHaveProperty('externally_connectable');
    expect(manifest).not.toHaveProperty('web_accessible_resources');
  });

  test('runs nothing that is not in the package', () => {
    const { extension_pages: policy } = manifest['content_security_policy'] as { extension_pages: string };
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  test('names texts and pages that there are', () => {
    for (const [, name] of text.matchAll(/__MSG_(\w+)__/g)) expect(portuguese).toHaveProperty(name ?? '');
    const pages = [...text.matchAll(/"([a-z]+\.html)"/g)].map(([, page]) => page);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(globSync('*.html', { cwd: folder })).toContain(page);
  });

  test('keeps what the stores take', () => {
    expect(portuguese.name.message.length).toBeLessThanOrEqual(45);
    expect(portuguese.description.message.length).toBeLessThanOrEqual(132);
    expect(english.name.message.length).toBeLessThanOrEqual(45);
    expect(english.description.message.length).toBeLessThanOrEqual(132);
  });
});

test('operators are told the addresses that sign-ins come back to in each browser', () => {
  const { key } = buildManifest('chromium', '1.2.3') as { key: string };
  const { browser_specific_settings } = buildManifest('firefox', '1.2.3') as {
    browser_specific_settings: { gecko: { id: string } };
  };
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  const chromium = digest.replace(/./g, (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)] ?? '');
  const firefox = createHash('sha1').update(browser_specific_settings.gecko.id).digest('hex');
  const document = readFileSync(join(folder, '../../docs/operations.md'), 'utf8');
  expect(document).toContain(`--redirect https://${chromium}.chromiumapp.org/`);
  expect(document).toContain(`--redirect https://${firefox}.extensions.allizom.org/`);
});

test('Firefox is told what the extension does there by Firefox’s own names', () => {
  expect(buildManifest('firefox', '1.2.3')).toMatchObject({
    background: { scripts: ['background.js'] },
    sidebar_action: { default_panel: 'panel.html' },
    browser_specific_settings: {
      gecko: {
        data_collection_permissions: { required: ['browsingActivity', 'bookmarksInfo', 'websiteContent'] },
      },
    },
  });
  for (const line of ['key', 'side_panel', 'minimum_chrome_version'])
    expect(buildManifest('firefox', '1.2.3')).not.toHaveProperty(line);
  expect(buildManifest('firefox', '1.2.3')['permissions']).not.toContain('sidePanel');
});

test('both languages say the same things, with the same put into them', () => {
  type Message = { message: string; placeholders?: object };
  const shape = (messages: Record<string, Message>) =>
    Object.entries(messages).map(([name, { message, placeholders }]) => [
      name,
      (message.match(/\$\w+\$/g) ?? []).sort(),
      placeholders ?? null,
    ]);
  expect(shape(english)).toEqual(shape(portuguese));
});

test('every text is said somewhere', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: folder })
    .filter((path) => !path.includes('.test.'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
  const unsaid = Object.keys(portuguese).filter(
    (name) => !new RegExp(`['"]${name}['"]|__MSG_${name}__`).test(sources),
  );
  expect(unsaid).toEqual([]);
});
