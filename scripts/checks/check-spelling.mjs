// Spells, in Brazilian Portuguese, the words that people read: they are picked out of the code first, because
// names in the code are English and would drown every finding.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectEnvironment, rootFolder } from '../ensure-installed.mjs';
import { collectReadableTexts } from './collect-readable-texts.mjs';

/** The first entry that matches a file says how it is read. */
const SOURCES = [
  { files: 'packages/domain/src/**/*-messages.ts', read: { everyLiteral: true } },
  { files: 'packages/domain/src/**/*.ts', read: {} },
  { files: 'apps/web/src/**/{messages,*-messages}.ts', read: { everyLiteral: true } },
  { files: 'apps/web/src/**/*.{ts,tsx}', read: {} },
  // Beside the English: where it has no accent it is not told apart.
  { files: 'apps/extension/store/*.ts', read: { accentedOnly: true } },
  { files: 'apps/server/src/**/*.ts', read: { accentedOnly: true } },
  { files: 'supabase/functions/**/*.ts', read: { accentedOnly: true } },
  { files: 'packages/payment-emulator/src/**/*-messages.ts', read: {} },
  { files: 'packages/payment-emulator/src/{pages,control}/**/!(render)*.ts', read: { accentedOnly: true } },
];

/** Other files, and which of their words people read. In SQL: messages of refusals that are sentences; those for engineers begin in lower case. */
const PLAIN_SOURCES = [
  // Markup in templates: what stands between two marks.
  {
    files: 'packages/payment-emulator/src/{pages,control}/{render,card}-*.ts',
    texts: /(?<=>)[^<>{}$`=]+(?=[<$])/g,
  },
  { files: 'apps/extension/locales/pt_BR/messages.json', texts: /(?<="message": ").*(?=",?$)/g },
  { files: 'supabase/migrations/*.sql', texts: /(?<=message = (?:format\()?')\p{Lu}[^'\n]*(?=')/gu },
  {
    files: 'apps/web/*.html',
    texts: /(?<=<(?:title|noscript|p|h1)>)[^<>{}]+(?=<)|(?<=content=")[^"=,]+ [^"=]*(?=")/g,
  },
];

const isTest = (path) => /\.(test|spec)\.tsx?$|\/test(-support)?\//.test(path);

/** Every file with the texts to spell. @returns {Map<string, { line: number, text: string }[]>} */
function collectAll() {
  const texts = new Map();
  for (const { files, read } of SOURCES) {
    for (const path of globSync(files, { cwd: rootFolder })) {
      if (texts.has(path) || isTest(path)) continue;
      texts.set(path, collectReadableTexts(path, readFileSync(join(rootFolder, path), 'utf8'), read));
    }
  }
  for (const { files, texts: pattern } of PLAIN_SOURCES) {
    for (const path of globSync(files, { cwd: rootFolder })) {
      const lines = readFileSync(join(rootFolder, path), 'utf8').split('\n');
      const found = lines.flatMap((text, line) =>
        (text.match(pattern) ?? []).map((match) => ({ line, text: match })),
      );
      texts.set(path, found);
    }
  }
  return texts;
}

/** Writes the texts on the lines they stand on in the code, so that a finding points at the right place. */
function writeMirror(folder, texts) {
  for (const [path, found] of texts) {
    const lines = [];
    for (const { line, text } of found) {
      lines[line] = `${lines[line] ?? ''} ${text.replaceAll(/\s+/g, ' ')}`;
    }
    const target = join(folder, `${path}.txt`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, Array.from(lines, (line) => line ?? '').join('\n'));
  }
}

const mirror = mkdtempSync(join(tmpdir(), 'linkoteca-spelling-'));
try {
  const texts = collectAll();
  writeMirror(mirror, texts);
  const { status, stdout, stderr } = spawnSync(
    'cspell',
    [
      'lint',
      '--no-progress',
      '--no-default-configuration',
      '--no-gitignore',
      '--show-suggestions',
      '--config',
      join(rootFolder, 'cspell.json'),
      '--root',
      mirror,
      '**/*.txt',
    ],
    { cwd: mirror, env: projectEnvironment(), encoding: 'utf8' },
  );
  const amount = [...texts.values()].reduce((total, found) => total + found.length, 0);
  console.log(`${stdout}${stderr}`.replaceAll(/\.txt(?=:\d)/g, '').replaceAll(`${mirror}/`, ''));
  console.log(`${amount} texts in ${texts.size} files`);
  // No text at all would mean that the collecting is broken, not that all is well.
  process.exitCode = status === 0 && amount > 100 ? 0 : 1;
} finally {
  rmSync(mirror, { recursive: true, force: true });
}
