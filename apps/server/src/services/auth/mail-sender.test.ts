import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createMailSender } from './mail-sender.ts';

const MAIL = { to: 'ana@exemplo.test', subject: 'Oi', text: 'Oi', html: '<p>Oi</p>' };
const WAIT_MS = 50;

function open(send: () => Promise<void>, waitMs = WAIT_MS) {
  const error = vi.fn();
  const logger = { info: vi.fn(), warn: vi.fn(), error };
  return { sender: createMailSender({ send }, waitMs, logger), error };
}

describe('the mail sender', () => {
  it('waits for a quick mail server', async () => {
    let sent = false;
    const { sender } = open(async () => {
      await wait(10);
      sent = true;
    }, 60_000);
    await sender.send(MAIL, vi.fn());
    expect(sent).toBe(true);
  });

  it('does not wait for a slow one, yet lets the mail leave before it closes', async () => {
    const slow = Promise.withResolvers<void>();
    const { sender } = open(() => slow.promise);
    await sender.send(MAIL, vi.fn());
    let settled = false;
    const settling = sender.settle().then(() => {
      settled = true;
    });
    await wait(1);
    expect(settled).toBe(false);
    slow.resolve();
    await settling;
  });

  it('tells of a failure that it knows in time, after undoing', async () => {
    const { sender, error } = open(() => Promise.reject(new Error('no route')));
    const undo = vi.fn(async () => undefined);
    await expect(sender.send(MAIL, undo)).rejects.toMatchObject({
      code: 'email_send_failed',
      status: 422,
    });
    expect(undo).toHaveBeenCalledOnce();
    expect(error).toHaveBeenCalledOnce();
  });

  it('undoes and logs a failure that comes late, without an unhandled rejection', async () => {
    const slow = Promise.withResolvers<void>();
    const { sender, error } = open(() => slow.promise);
    const undo = vi.fn(async () => undefined);
    await sender.send(MAIL, undo);
    expect(undo).not.toHaveBeenCalled();
    slow.reject(new Error('late'));
    await sender.settle();
    expect(undo).toHaveBeenCalledOnce();
    expect(error).toHaveBeenCalledOnce();
  });

  it('fails for an address that gets no mail as surely as the last real mail did', async () => {
    let broken = false;
    const { sender } = open(async () => {
      if (broken) throw new Error('down');
    }, 60_000);
    sender.pretend();
    await sender.send(MAIL, vi.fn());
    sender.pretend();
    broken = true;
    await expect(sender.send(MAIL, async () => undefined)).rejects.toThrow();
    expect(() => sender.pretend()).toThrow(expect.objectContaining({ code: 'email_send_failed' }));
    broken = false;
    await sender.send(MAIL, vi.fn());
    sender.pretend();
  });

  it('does not pretend a failure that a real request would not have known in time', async () => {
    const slow = Promise.withResolvers<void>();
    const { sender } = open(() => slow.promise);
    await sender.send(MAIL, async () => undefined);
    slow.reject(new Error('late'));
    await sender.settle();
    sender.pretend();
  });
});
