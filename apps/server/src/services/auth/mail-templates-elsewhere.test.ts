import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createTemplatesElsewhere } from './mail-templates-elsewhere.ts';
import { call } from './test-support/call-service.ts';
import { createPerson } from './test-support/sign-people-in.ts';
import { startAuthService } from './test-support/start-auth-service.ts';
import { type HookReceiver, startHookReceiver } from './test-support/start-hook-receiver.ts';

let receiver: HookReceiver;
beforeAll(async () => {
  receiver = await startHookReceiver();
});
afterAll(() => receiver.stop());
beforeEach(() => receiver.forget());

const answer = (text: string, status = 200) =>
  receiver.answer((response) => void response.writeHead(status).end(text));

it('a mail has what is at the address that the operator names, read once for many', async () => {
  answer('<p>Entre, {{ .Email }}: {{ .Token }}</p>');
  const service = await startAuthService({
    settings: {
      siteUrl: receiver.at('').url,
      mailOverrides: { magic_link: { contentAddress: '/modelos/entrar.html' } },
      mailWaitMs: 20_000,
    },
  });
  const { email } = await createPerson(service);
  for (const _ of [1, 2]) await call(service, 'POST /otp', { body: { email } });
  expect(service.mails).toHaveLength(2);
  expect(service.mails[1]?.html).toMatch(/^<p>Entre, .*@exemplo\.test: \d{6}<\/p>$/);
  expect(service.mails[1]?.text).toMatch(/Entre, /);
  expect(receiver.messages.map(({ path }) => path)).toEqual(['/modelos/entrar.html']);
  await service.stop();
});

it('what cannot be had, is no template or is too long leaves what was there before, or our own mail', async () => {
  let time = 0;
  const error = vi.fn();
  const templates = createTemplatesElsewhere({
    siteUrl: 'https://l.test',
    now: () => new Date(time),
    logger: { error },
  });
  const load = () => templates.load('invite', { contentAddress: receiver.at('/convite').url });
  for (const [text, status] of [
    ['nada', 404],
    ['<p>{{ .Segredo }}</p>', 200],
    [`<p>${'x'.repeat(300_000)}</p>`, 200],
  ] as const) {
    answer(text, status);
    expect(await load()).toEqual({});
    // Left alone for a while.
    expect(await load()).toEqual({});
    time += 31_000;
  }
  expect([error.mock.calls.length, receiver.messages.length]).toEqual([3, 3]);
  answer('<p>Venha, {{ .Email }}</p>');
  expect(await load()).toHaveProperty('content');
  time += 601_000;
  answer('nada', 500);
  expect(await load()).toHaveProperty('content');
  expect(receiver.messages).toHaveLength(5);
});

it('is read anew when the clock is set back', async () => {
  let time = Date.parse('2027-01-01T12:00:00Z');
  const templates = createTemplatesElsewhere({
    siteUrl: 'https://l.test',
    now: () => new Date(time),
    logger: { error: vi.fn() },
  });
  const load = () => templates.load('invite', { contentAddress: receiver.at('/convite').url });
  answer('<p>Venha, {{ .Email }}</p>');
  const before = await load();
  answer('<p>Entre, {{ .Email }}</p>');
  time -= 6 * 3_600_000;
  expect(await load()).not.toEqual(before);
});
