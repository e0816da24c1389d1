import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createPostOffice } from './create-post-office.ts';

const MAIL = { to: 'ana@exemplo.test', subject: 'Oi', text: 'Oi', html: '<p>Oi</p>' };
const PATIENCE_MS = 50;

function open(send: () => Promise<void>) {
  const error = vi.fn();
  const logger = { info: vi.fn(), warn: vi.fn(), error };
  return { office: createPostOffice({ send }, PATIENCE_MS, logger), error };
}

async function measure(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

describe('a post office', () => {
  it('waits for a quick mail server', async () => {
    let sent = false;
    const { office } = open(async () => {
      await wait(10);
      sent = true;
    });
    await office.deliver(MAIL, vi.fn());
    expect(sent).toBe(true);
  });

  it('does not wait long for a slow one, yet lets the mail leave before it closes', async () => {
    let sent = false;
    const { office } = open(async () => {
      await wait(300);
      sent = true;
    });
    expect(await measure(() => office.deliver(MAIL, vi.fn()))).toBeLessThan(250);
    expect(sent).toBe(false);
    await office.settle();
    expect(sent).toBe(true);
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
    const { office, error } = open(async () => {
      await wait(100);
      throw new Error('late');
    });
    const undo = vi.fn(async () => undefined);
    await office.deliver(MAIL, undo);
    expect(undo).not.toHaveBeenCalled();
    await office.settle();
    expect(undo).toHaveBeenCalledOnce();
    expect(error).toHaveBeenCalledOnce();
  });

  it('pretends to send with the time and the outcome of the last real mail', async () => {
    let broken = false;
    const { office } = open(async () => {
      await wait(30);
      if (broken) throw new Error('down');
    });
    await office.pretend();
    await office.deliver(MAIL, vi.fn());
    expect(await measure(() => office.pretend())).toBeGreaterThan(20);
    broken = true;
    await expect(office.deliver(MAIL, async () => undefined)).rejects.toThrow();
    await expect(office.pretend()).rejects.toMatchObject({ code: 'email_send_failed' });
    broken = false;
    await office.deliver(MAIL, vi.fn());
    await office.pretend();
  });
});
