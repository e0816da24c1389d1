import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** What the compiler says of the rows that the web app reads when the generated columns of a table are others. */
function compileWith(table: string, change: (columns: string) => string): readonly string[] {
  const rows = fileURLToPath(new URL('../../../apps/web/src/shared/lib/rows.ts', import.meta.url));
  const types = fileURLToPath(new URL('./database.ts', import.meta.url));
  const written = readFileSync(types, 'utf8');
  const columns = new RegExp(`(?<=\\n {6}${table}: \\{\\n {8}Row: \\{)[^}]*`).exec(written)?.[0] ?? '';
  expect(columns).toContain('user_id: string;');
  const changed = written.replace(columns, change);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2024.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.readFile;
  host.readFile = (path) => (host.realpath?.(path) === types ? changed : read(path));
  const program = ts.createProgram([rows], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(rows))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('a column that the database has and nobody thought of is a type error', () => {
  test.each(['folders', 'categories', 'links'])('of %s', (table) => {
    const errors = compileWith(table, (columns) => `${columns}note: string | null;`);
    expect(errors.join()).toContain("Property 'note' is missing");
  });

  test('and so is one whose kind has changed, but not what stands there now', () => {
    expect(compileWith('links', (columns) => columns)).toEqual([]);
    const errors = compileWith('links', (columns) =>
      columns.replace('title: string;', 'title: string | null;'),
    );
    expect(errors.join()).toContain('text or null');
  });
});
