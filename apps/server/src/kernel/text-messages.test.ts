import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFolderTexter, keepsTexts } from './text-messages.ts';

const TEXT = { to: '5511999990000', channel: 'sms', text: '123456 é o seu código', code: '123456' } as const;

it('keeps a text message in a file that nobody else reads, and in the log', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'linkoteca-texts-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'mail');
  const info = vi.fn();
  await createFolderTexter(folder, { info }).send(TEXT);
  const [name = '', another] = await readdir(folder);
  expect([name.endsWith('.sms'), another]).toEqual([true, undefined]);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const { date, ...stored } = JSON.parse(await readFile(join(folder, name), 'utf8'));
  expect(stored).toEqual({ to: TEXT.to, channel: 'sms', text: TEXT.text });
  expect(Number.isNaN(Date.parse(date))).toBe(false);
  expect(info).toHaveBeenCalledWith(expect.objectContaining({ text: TEXT.text }), expect.any(String));
});

it('is asked only where people sign in by phone and nobody else sends', () => {
  const twilio = { accountSid: 'a', authToken: 'b', messageServiceSid: 'c', contentSid: '' };
  const hooks = { send_sms: { kind: 'function', schema: 'public', name: 'enviar' } } as const;
  expect(keepsTexts({ phoneEnabled: true })).toBe(true);
  expect(keepsTexts({ phoneFactorEnrollEnabled: true })).toBe(true);
  expect([{}, { phoneEnabled: true, twilio }, { phoneEnabled: true, hooks }].map(keepsTexts)).toEqual([
    false,
    false,
    false,
  ]);
});
