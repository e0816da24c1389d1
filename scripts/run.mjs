// `node scripts/run.mjs FILE ARGUMENTS…`: runs a TypeScript entry of the project, installing it first where needed.
// Says nothing of its own on standard output: what the entry prints there is for programs.
import { ensureInstalled } from './ensure-installed.mjs';
import { runEntry } from './run-entry.mjs';

const [entry, ...args] = process.argv.slice(2);

try {
  if (entry === undefined) throw new Error('Uso: node scripts/run.mjs ARQUIVO [ARGUMENTOS…]');
  await ensureInstalled({
    say: () => console.error('Instalando as dependências (um minuto na primeira vez) …'),
  });
  process.exitCode = await runEntry(entry, args);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
