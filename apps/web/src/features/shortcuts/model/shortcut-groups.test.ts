import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHORTCUT_GROUPS } from './shortcut-groups.ts';

const source = join(import.meta.dirname, '../../..');

/** What the code listens to: the first argument of every useShortcut. */
function listShortcutsOfTheCode(): string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
  );
  return files.flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/useShortcut\(\s*'([^']+)'/g)].map(
      ([, shortcut = '']) => shortcut,
    ),
  );
}

test('the sheet names every shortcut that the code listens to', () => {
  const listed = new Set(
    SHORTCUT_GROUPS.flatMap(({ shortcuts }) =>
      shortcuts.flatMap(({ keys }) => keys.map((combination) => combination.join('+').toLowerCase())),
    ),
  );
  const shortcuts = listShortcutsOfTheCode();
  expect(shortcuts).toContain('mod+k');
  expect(
    shortcuts.map((shortcut) => shortcut.replace('escape', 'esc')).filter((key) => !listed.has(key)),
  ).toEqual([]);
});

test('no key is said to do two things in one place', () => {
  for (const { title, shortcuts } of SHORTCUT_GROUPS) {
    const keys = shortcuts.flatMap((shortcut) => shortcut.keys.map((combination) => combination.join('+')));
    expect(new Set(keys).size, title).toBe(keys.length);
  }
});
