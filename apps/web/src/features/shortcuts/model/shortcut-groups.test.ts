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

/** What stands on the sheet for a key of the browser's, where that is another word. */
const ON_SHEET: Readonly<Record<string, string>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  ' ': 'Espaço',
  Escape: 'Esc',
};
/** The menu key has a name of its own on every keyboard; Shift+F10 does the same. */
const NAMELESS = new Set(['ContextMenu']);

/** The keys that a place of its own answers, as its source compares them: `case 'F2'`, `key === 'Home'`, `Delete: …`. */
function listKeysOf(file: string): string[] {
  const code = readFileSync(join(source, file), 'utf8');
  const compared = [...code.matchAll(/(?:case '|key === '|^ {2}'?)( |F\d+|[A-Z][A-Za-z]+|[a-z])(?:'|: ')/gm)];
  return compared.map(([, key = '']) => key).filter((key) => !NAMELESS.has(key));
}

test.each([
  ['Com um link em foco', 'features/links/model/plan-link-key.ts'],
  ['Nas pastas', 'features/folders/model/plan-tree-key.ts'],
  ['Na busca', 'features/search/model/plan-search-key.ts'],
])("under '%s' stands every key of that place", (title, file) => {
  const group = SHORTCUT_GROUPS.find((each) => each.title === title);
  const listed = new Set(
    group?.shortcuts.flatMap(({ keys }) => keys.flatMap((combination) => combination.at(-1) ?? [])),
  );
  const keys = listKeysOf(file).map((key) => ON_SHEET[key] ?? (key.length === 1 ? key.toUpperCase() : key));
  expect(keys).toContain('Home');
  expect(keys.filter((key) => !listed.has(key))).toEqual([]);
});
