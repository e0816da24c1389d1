import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectEnvironment, rootFolder } from './ensure-installed.mjs';

/** Where Vite serves the app; it hands the services' paths on to the server. */
const SITE_URL = 'http://localhost:5173';

/**
 * `npm run dev`: the server restarts when its files change, the web app is replaced in the open page. Open the address
 * that the server prints.
 * @returns {Promise<number>} the exit code of whichever ends first; the other is ended too.
 */
export async function runDevelopment() {
  const environment = projectEnvironment({
    SITE_URL: process.env.SITE_URL ?? SITE_URL,
    FUNCTIONS_RELOAD: 'true',
  });
  const children = [
    spawn('node', ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], {
      cwd: rootFolder,
      env: environment,
      stdio: 'inherit',
    }),
    spawn(join(rootFolder, 'node_modules/.bin/vite'), ['--logLevel', 'warn'], {
      cwd: join(rootFolder, 'apps/web'),
      env: environment,
      stdio: 'inherit',
    }),
  ];
  const endAll = (signal) => {
    for (const child of children) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, endAll);
  const ends = children.map(
    (child) =>
      new Promise((resolve) => {
        child.on('error', () => resolve(1));
        child.on('close', (code) => resolve(code ?? 1));
      }),
  );
  const first = await Promise.race(ends);
  endAll('SIGTERM');
  await Promise.all(ends);
  return first;
}
