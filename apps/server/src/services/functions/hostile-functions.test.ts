import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSocketFolder } from './runtime/open-socket-folder.ts';
import { startFunctions, type TestFunctions } from './test-support/start-functions.ts';

let functions: TestFunctions;
beforeAll(async () => {
  functions = await startFunctions({
    limits: { blockedCpuMs: 400, memoryMiB: 128, retireAfterMs: 30_000 },
  });
});
afterAll(() => functions.stop());

const CRASHED = { status: 500, code: 'WORKER_ERROR', error: 'Erro interno do servidor' };
const EXHAUSTED = { status: 546, code: 'WORKER_LIMIT', error: expect.stringMatching(/\S/) };

async function commit(deed: string, signal?: AbortSignal) {
  const response = await fetch(`${functions.url}/hostile/${deed}`, {
    method: 'POST',
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return { status: response.status, text, ...(text.startsWith('{') ? JSON.parse(text) : {}) };
}
const others = async () => (await fetch(`${functions.url}/open`)).text();
const findLog = (message: string) => functions.logged.filter((line) => line.message === message);

describe('a function that', () => {
  test.each([['throw'], ['throw-nothing'], ['no-response']])(
    'fails by %s is 500 without its reasons, and goes on',
    async (deed) => {
      const before = findLog('function failed').length;
      const failed = await commit(deed);
      expect(failed).toMatchObject(CRASHED);
      expect(failed.text).not.toContain('secret');
      expect(await commit('fine')).toMatchObject({ status: 200 });
      // Lines of the log come behind the answer.
      await eventually(() =>
        expect(findLog('function failed').slice(before)).toContainEqual(
          expect.objectContaining({ function: 'hostile', reqId: expect.any(String) }),
        ),
      );
    },
  );

  test.each([['reject'], ['throw-later'], ['exit']])('dies by %s is 500, and replaced', async (deed) => {
    expect(await commit(deed)).toMatchObject(CRASHED);
    expect(await commit('fine')).toMatchObject({ status: 200 });
  });

  test('leaves an error to nobody has it logged with the call that it came from', async () => {
    await commit('reject');
    expect(findLog('function crashed').at(-1)).toMatchObject({
      level: 'error',
      function: 'hostile',
      reqId: expect.stringMatching(/\S/),
      failure: { message: 'nobody caught this', stack: expect.stringContaining('hostile/index.ts') },
    });
  });

  test.each([['loop'], ['microtask-loop']])(
    'never comes to an end (%s) is 546, while others answer and new calls find another process',
    async (deed) => {
      // The others' process is there before anybody is stuck.
      await others();
      const stuck = commit(deed);
      expect(await Promise.race([others(), stuck])).toBe('aberta');
      expect(await stuck).toMatchObject(EXHAUSTED);
      expect(await commit('fine')).toMatchObject({ status: 200 });
    },
  );

  test.each([['heap'], ['buffers'], ['slow-buffers'], ['huge-buffer']])(
    'exhausts memory by %s is 546, and the server stays as it was',
    async (deed) => {
      const before = process.memoryUsage.rss();
      expect(await commit(deed)).toMatchObject(EXHAUSTED);
      expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1_048_576);
      expect(await others()).toBe('aberta');
    },
  );

  test.each([['flood'], ['flood-stdout']])('prints without end (%s) fills no log', async (deed) => {
    const before = functions.logged.length;
    expect(await commit(deed)).toMatchObject({ status: 200 });
    const isTold = () =>
      functions.logged.slice(before).some(({ message }) => /^\d+ lines were left out/.test(message));
    await eventually(() => expect(isTold()).toBe(true));
    expect(functions.logged.length - before).toBeLessThan(2_000);
  });

  test('would end the server, or another process, cannot', async () => {
    expect(await commit('kill-server')).toMatchObject(CRASHED);
    expect(await commit('kill-server-otherwise')).toMatchObject(CRASHED);
    expect(await commit('spawn')).toMatchObject(CRASHED);
  });

  test.each(['/etc/passwd', '/proc/self/environ', fileURLToPath(import.meta.url)])(
    'looks for secrets in %s finds none',
    async (path) => {
      const before = findLog('function failed').length;
      expect(await commit(`read-secret?path=${encodeURIComponent(path)}`)).toMatchObject(CRASHED);
      // Lines of the log come behind the answer, also those of the call before.
      await eventually(() =>
        expect(findLog('function failed').slice(before)).toContainEqual(
          expect.objectContaining({
            failure: expect.objectContaining({
              message: expect.stringContaining('Access to this API has been restricted'),
            }),
          }),
        ),
      );
    },
  );

  test('writes files writes none', async () => {
    const path = join(tmpdir(), `linkoteca-hostile-${process.pid}`);
    expect(await commit(`write-file?path=${encodeURIComponent(path)}`)).toMatchObject(CRASHED);
    expect(existsSync(path)).toBe(false);
  });
});

describe('processes', () => {
  test('end when nobody calls, whatever timers a function has left behind', async () => {
    const short = await startFunctions({ limits: { retireAfterMs: 2_000 } });
    const workers = async () => /workers\{function="hostile"\} (\d)/.exec(await short.metrics.metrics())?.[1];
    await fetch(`${short.url}/hostile/timers`);
    expect(await workers()).toBe('1');
    await eventually(async () => expect(await workers()).toBe('0'));
    expect((await fetch(`${short.url}/hostile/fine`)).status).toBe(200);
    await short.stop();
  });

  test('that are slow to answer are left: 504 for the call, and another process for the next', async () => {
    const hasty = await startFunctions({ limits: { idleMs: 2_500 } });
    const late = await fetch(`${hasty.url}/hostile/hang`);
    expect([late.status, (await late.json()).code]).toEqual([504, 'IDLE_TIMEOUT']);
    expect((await fetch(`${hasty.url}/hostile/fine`)).status).toBe(200);
    await eventually(async () =>
      expect(await hasty.metrics.metrics()).toContain(
        'worker_ends_total{function="hostile",reason="retired"} 1',
      ),
    );
    await hasty.stop();
  });

  test('that still send when their time is over are cut off', async () => {
    const hasty = await startFunctions({ limits: { wallMs: 2_500 } });
    const response = await fetch(`${hasty.url}/streams/ticks`);
    await expect(response.text()).rejects.toThrow();
    await hasty.stop();
  });

  test('finish their calls when the server stops, and leave nothing behind', async () => {
    const stopping = await startFunctions();
    await fetch(`${stopping.url}/open`);
    // Another process may run its own at the same time.
    const ours = `linkoteca-functions-${process.pid}-`;
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(ours));
    const before = folders();
    const call = fetch(`${stopping.url}/streams/upper`, { method: 'POST', body: 'até o fim' });
    await eventually(async () =>
      expect(await stopping.metrics.metrics()).toContain('workers{function="streams"} 1'),
    );
    await stopping.stop();
    expect(await (await call).text()).toBe('ATÉ O FIM');
    expect(folders()).toHaveLength(before.length - 1);
  });

  test('of a server that was killed leave no folder for ever', () => {
    const parent = openSocketFolder();
    // A number that no process can have.
    const left = `${parent.path}/linkoteca-functions-999999999-abc`;
    mkdirSync(left);
    const own = openSocketFolder(parent.path);
    expect([existsSync(left), existsSync(own.path)]).toEqual([false, true]);
    openSocketFolder(parent.path);
    expect(existsSync(own.path)).toBe(true);
    parent.remove();
  });
});
