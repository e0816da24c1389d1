import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { SHELLS, writeCompletion } from './completion.ts';
import { runLinksCommand } from './run-links-command.ts';

async function printCompletion(...args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  await runLinksCommand(['completion', ...args], {
    environment: { HOME: '/nowhere' },
    print: (line) => void printed.push(line),
    askToken: async () => '',
    streams: { input: process.stdin, output: process.stdout, report: () => undefined },
  });
  return printed.join('\n');
}

/** What bash itself offers after these words, the last of which is being typed. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const script = `${await printCompletion('bash')}
COMP_WORDS=(linkoteca "$@"); COMP_CWORD=$#; _linkoteca; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words]);
  return stdout.split('\n').filter((line) => line !== '');
}

it('a shell completes commands, their options and the shells', async () => {
  expect(await complete('')).toEqual([
    'login',
    'add',
    'search',
    'list',
    'export',
    'import',
    'mcp',
    'completion',
  ]);
  expect(await complete('se')).toEqual(['search']);
  expect(await complete('add', 'https://exemplo.test', '--t')).toEqual(['--title', '--tag']);
  expect(await complete('completion', 'z')).toEqual(['zsh']);
  // Left to the shell: files, or nothing.
  expect(await complete('import', '')).toEqual([]);
});

it('what is being typed is a word, never a command', async () => {
  expect(await complete('$(echo search)')).toEqual([]);
  expect(await complete('add', '--`echo json`')).toEqual([]);
});

it.each(SHELLS)('%s has a script with every command and option', async (shell) => {
  const script = await printCompletion(shell);
  for (const name of ['search', 'completion', 'json', 'limit']) expect(script).toContain(name);
  expect(script).toBe(
    writeCompletion(shell, {
      commands: ['login', 'add', 'search', 'list', 'export', 'import', 'mcp', 'completion'],
      options: ['json', 'title', 'category', 'tag', 'limit'],
    }),
  );
});

it('another shell is told which there are', async () => {
  await expect(printCompletion('tcsh')).rejects.toThrow('bash, zsh, fish');
  await expect(printCompletion()).rejects.toThrow('bash, zsh, fish');
});
