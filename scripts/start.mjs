// `npm start`: everything from a fresh clone to a running server. Node's own modules only: nothing is installed yet.
import { buildWeb } from './build-web.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { runDevelopment } from './run-development.mjs';
import { runEntry } from './run-entry.mjs';

const say = (line) => console.log(line);
const isDevelopment = process.argv.includes('--dev');

try {
  await ensureInstalled({ say: () => say('Instalando as dependências (um minuto na primeira vez) …') });
  if (isDevelopment) process.exitCode = await runDevelopment();
  else {
    await buildWeb({ say });
    process.exitCode = await runEntry('apps/server/src/main.ts', process.argv.slice(2), {
      keepAlive: true,
    });
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
