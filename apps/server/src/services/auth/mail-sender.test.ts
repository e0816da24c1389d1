import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createPostOffice } from './mail-sender.ts';

const MAIL = { to: 'ana@exemplo.test', subject: 'Oi', text: 'Oi', html: '<p>Oi</p>' };
const PATIENCE_MS = 50;

function open(send: () => Promise<void>, patienceMs = PATIENCE_MS) {
  const error = vi.fn();
  const logger = { info: vi.fn(), warn: vi.fn(), error };
  return { office: createPostOffice({ send }, patienceMs, logger), error };
}

describe('a post office', () => {
  it('waits for a quick mail server', async () => {
    let sent = false;
    const { office } = open(async () => {
      await wait(10);
      sent = true;
    }, 60_000);
    await office.deliver(MAIL, vi.fn());
    expect(sent).toBe(true);
  });

  it('does not wait for a slow one, yet lets the mail leave before it closes', async () => {
    const slow = Promise.withResolvers<void>();
    const { office } = open(() => slow.promise);
    await office.deliver(MAIL, vi.fn());
    let settled = false;
    const settling = office.settle().then(() => {
      settled = true;
    });
    await wait(1);
    expect(settled).toBe(false);
    slow.resolve();
    await settling;
  });

  it('tells of a failure that it knows in time, after undoing', async () => {
    const { office, error } = open(() => Promise.reject(new Error('no route')));
    const undo = vi.fn(async () => undefined);
    await expect(office.deliver(MAIL, undo)).rejects.toMatchObject({
      code: 'email_send_failed',
      status: 422,
    });
    expect(undo).toHaveBeenCalledOnce();
    expect(error).toHaveBeenCalledOnce();
  });

  it('undoes and logs a failure that comes late, without an unhandled rejection', async () => {
    const slow = Promise.withResolvers<void>();
    const { office, error } = open(() => slow.promise);
    const undo = vi.fn(async () => undefined);
    await office.deliver(MAIL, undo);
    expect(undo).not.toHaveBeenCalled();
    slow.reject(new Error('late'));
    await office.settle();
    expect(undo).toHaveBeenCalledOnce();
    expect(error).toHaveBeenCalledOnce();
  });

  it('fails for an address that gets no mail as surely as the last real mail did', async () => {
    let broken = false;
    const { office } = open(async () => {
      if (broken) throw new Error('down');
    }, 60_000);
    office.pretend();
    await office.deliver(MAIL, vi.fn());
    office.pretend();
    broken = true;
    await expect(office.deliver(MAIL, async () => undefined)).rejects.toThrow();
    expect(() => office.pretend()).toThrow(expect.objectContaining({ code: 'email_send_failed' }));
    broken = false;
    await office.deliver(MAIL, vi.fn());
    office.pretend();
  });

  it('does not pretend a failure that a real request would not have known in time', async () => {
    const slow = Promise.withResolvers<void>();
    const { office } = open(() => slow.promise);
    await office.deliver(MAIL, async () => undefined);
    slow.reject(new Error('late'));
    await office.settle();
    office.pretend();
  });
});
