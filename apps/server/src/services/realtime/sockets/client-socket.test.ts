import { Duplex } from 'node:stream';
import { expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { ClientSocket } from './client-socket.ts';
import { createSocketCounters, SOCKET_LIMITS } from './socket-limits.ts';

test('a client that one topic keeps waiting is not read from again because another has caught up', async () => {
  const ws = {
    isPaused: false,
    pause: vi.fn(() => (ws.isPaused = true)),
    resume: vi.fn(() => (ws.isPaused = false)),
  };
  const socket = new ClientSocket({
    ws: ws as unknown as WebSocket,
    connection: new Duplex(),
    serializer: 2,
    apiKey: '',
    headers: {},
    limits: SOCKET_LIMITS,
    counters: createSocketCounters(),
    now: Date.now,
    onFault: (error) => expect.unreachable(String(error)),
  });
  const slow = Promise.withResolvers<void>();
  const quick = Promise.withResolvers<void>();
  const done: string[] = [];
  socket.inTurn('quick', () => quick.promise);
  socket.inTurn('quick', () => void done.push('quick'));
  socket.inTurn('slow', () => slow.promise);
  for (let at = 0; at < 99; at += 1) socket.inTurn('slow', () => undefined);
  expect(ws.isPaused).toBe(false);
  socket.inTurn('slow', () => void done.push('slow'));
  expect(ws.isPaused).toBe(true);
  quick.resolve();
  await new Promise(setImmediate);
  expect(done).toEqual(['quick']);
  expect(ws.resume).not.toHaveBeenCalled();
  slow.resolve();
  await new Promise(setImmediate);
  expect(done).toEqual(['quick', 'slow']);
  expect(ws.isPaused).toBe(false);
});
