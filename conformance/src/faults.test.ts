import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { expect, test } from 'vitest';

/** One round each of the cheapest; `npm run faults` does them all, in the numbers of docs/reliability.md. */
const SHORT = ['kill-upload', 'cut-off', 'black-hole', 'kill-copy'];
/** The same choices every time: what fails here fails again. */
const SEED = '7';

test('npm run faults loses nothing, doubles nothing, and prints its table', {
  timeout: 320_000,
}, async () => {
  const { code, stdout, stderr } = await runProjectCommand(
    'faults',
    [...SHORT, '--rounds', '1', '--seed', SEED, '--patience', '8'],
    {},
  );
  expect(code, stderr).toBe(0);
  const rows = stdout.trim().split('\n').slice(2);
  expect(rows).toHaveLength(SHORT.length);
  for (const row of rows) expect(row).toMatch(/^\| .+ \| 1 \| [1-9][\d,]* \| 0 \| 0 \| \d+\.\d s \|$/);
});

test('npm run faults refuses a name that it does not know', async () => {
  expect(await runProjectCommand('faults', ['terremoto'], {})).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('kill-server'),
  });
});
