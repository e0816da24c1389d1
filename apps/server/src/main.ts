import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Types are stripped and code is compiled once instead of at every start. It has to be said before anything is loaded,
// hence the import below; where the folder cannot be written, Node goes on without.
enableCompileCache(
  join(fileURLToPath(new URL('../../../', import.meta.url)), 'node_modules/.cache/node-compile'),
);

const { runServer } = await import('./run-server.ts');
await runServer(process.env);
