import { join } from 'node:path';
import ts from 'typescript';

/** Whether a file with another text in it still passes the compiler, which is a check of `npm test` as well. */
export type TypeCheck = { compiles(file: string, text: string): boolean };

/** One project of the compiler, kept warm: a text costs a fraction of a second. */
export function createTypeCheck(repository: string, project: string): TypeCheck {
  const folder = join(repository, project, '..');
  const read = ts.readConfigFile(join(repository, project), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(read.config, ts.sys, folder);
  const overlay = new Map<string, { version: number; text: string }>();
  let version = 0;
  const service = ts.createLanguageService({
    getScriptFileNames: () => fileNames,
    getScriptVersion: (name) => String(overlay.get(name)?.version ?? 0),
    getScriptSnapshot: (name) => {
      const text = overlay.get(name)?.text ?? ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return {
    compiles(file, text) {
      const name = join(repository, file);
      version += 1;
      overlay.set(name, { version, text });
      const errors = [...service.getSyntacticDiagnostics(name), ...service.getSemanticDiagnostics(name)];
      overlay.delete(name);
      return errors.length === 0;
    },
  };
}
