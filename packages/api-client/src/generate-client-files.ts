import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import ts from 'typescript';

/**
 * Writes the client of a document into a folder: JavaScript with its types, so that whoever uses it needs no compiler.
 * @param document path of `openapi.json`
 * @throws Error where the document cannot be read, or what was generated has a type error
 */
export async function generateClientFiles(document: string, folder: string): Promise<void> {
  const sources = await mkdtemp(join(tmpdir(), 'api-client-'));
  try {
    await createClient({
      input: document,
      // Nothing of the project that it is generated in may change what is written.
      output: { path: sources, clean: true, module: { extension: '.js' }, tsConfigPath: null },
      plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    compile(join(sources, 'index.ts'), folder);
  } finally {
    await rm(sources, { recursive: true });
  }
}

function compile(source: string, folder: string): void {
  const program = ts.createProgram([source], {
    outDir: folder,
    declaration: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    skipLibCheck: true,
    newLine: ts.NewLineKind.LineFeed,
  });
  const { diagnostics } = program.emit();
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (faults.length > 0)
    throw new Error(
      faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n'),
    );
}
