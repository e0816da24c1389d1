import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { kill } from 'node:process';

const kept: unknown[] = [];

/** Everything that a function may do wrong, by the last part of the address. */
const DEEDS: Readonly<Record<string, (request: Request) => unknown>> = {
  fine: () => undefined,
  throw: () => {
    throw new Error('a secret of the inside');
  },
  'throw-nothing': () => {
    throw undefined;
  },
  'no-response': () => 'texto',
  reject: async () => {
    void Promise.reject(new Error('nobody caught this'));
    await new Promise(() => undefined);
  },
  'throw-later': async () => {
    setTimeout(() => {
      throw new Error('nobody caught this either');
    }, 1);
    await new Promise(() => undefined);
  },
  exit: () => process.exit(0),
  loop: () => {
    for (;;) kept.length = 0;
  },
  'microtask-loop': async () => {
    for (;;) await null;
  },
  heap: () => {
    for (;;) kept.push(new Array(1_000).fill('x').map((letter, at) => letter + at));
  },
  buffers: () => {
    for (;;) kept.push(Buffer.alloc(1_048_576, 1));
  },
  'slow-buffers': async () => {
    for (;;) {
      kept.push(Buffer.alloc(1_048_576, 1));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },
  'huge-buffer': () => {
    kept.push(Buffer.alloc(4_000_000_000, 1));
  },
  flood: () => {
    for (let line = 0; line < 50_000; line += 1) console.log(`linha ${line} ${'x'.repeat(200)}`);
  },
  'flood-stdout': () => {
    for (let line = 0; line < 50_000; line += 1) process.stdout.write(`linha ${line}\n`);
  },
  timers: () => {
    for (let timer = 0; timer < 1_000; timer += 1) setInterval(() => kept.length, 10);
  },
  hang: () => new Promise(() => undefined),
  'kill-server': () => kill(process.ppid, 'SIGKILL'),
  'kill-server-otherwise': () => process.kill(process.ppid, 'SIGKILL'),
  'read-secret': (request) => readFileSync(new URL(request.url).searchParams.get('path') ?? '', 'utf8'),
  'write-file': (request) => writeFileSync(new URL(request.url).searchParams.get('path') ?? '', 'x'),
  spawn: () => spawn('/bin/sh', ['-c', 'true']),
};

Deno.serve(async (request) => {
  const deed = new URL(request.url).pathname.split('/').at(-1) ?? '';
  const done = await DEEDS[deed]?.(request);
  return deed === 'no-response' ? (done as Response) : new Response('feito');
});
