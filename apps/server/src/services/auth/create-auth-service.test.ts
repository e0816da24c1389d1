import { eventually } from '@linkoteca/test-kit/eventually';
import { expect, it, onTestFinished, vi } from 'vitest';
import { registerProgram } from './test-support/let-programs-in.ts';
import { startAuthService } from './test-support/start-auth-service.ts';

it('sweeps out once an hour what can no longer be used, and programs that nobody let in', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await startAuthService();
  onTestFinished(() => service.stop());
  const { client_id: program } = await registerProgram(service);
  await service.admin.query(
    `update auth.oauth_clients set registration_type = 'dynamic', updated_at = now() - interval '8 days' where id = $1`,
    [program],
  );
  await service.admin.query(
    `insert into auth.rate_counters (key, points, ends_at) values ('velho', 1, now() - interval '1 minute')`,
  );
  const left = async () =>
    (
      await service.admin.query(
        `select (select count(*)::int from auth.rate_counters where key = 'velho') as counters,
          (select count(*)::int from auth.oauth_clients where id = $1) as programs`,
        [program],
      )
    ).rows[0];
  expect(await left()).toEqual({ counters: 1, programs: 1 });
  vi.advanceTimersByTime(3_600_000);
  await eventually(async () => expect(await left()).toEqual({ counters: 0, programs: 0 }));
});
