import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSocket } from '../test-support/open-socket.ts';
import { type StartedRealtime, startRealtime } from '../test-support/start-realtime.ts';

let server: StartedRealtime;
beforeAll(async () => {
  server = await startRealtime();
});
afterAll(() => server.app.close());

describe.each(['1.0.0', '2.0.0'] as const)('a socket of serializer %s', (vsn) => {
  test('is answered its heartbeats', async () => {
    const socket = await openSocket(server, { vsn });
    const reply = await socket.reply(socket.send('phoenix', 'heartbeat'));
    expect(reply).toMatchObject({ topic: 'phoenix', payload: { status: 'ok', response: {} } });
    socket.close();
  });

  test('joins, and leaves with a reply and a close that carries the join’s reference', async () => {
    const socket = await openSocket(server, { vsn });
    const joined = await socket.join('realtime:sala');
    expect(joined.payload).toEqual({ status: 'ok', response: { postgres_changes: [] } });
    const left = await socket.reply(socket.send('realtime:sala', 'phx_leave'));
    expect(left.payload).toEqual({ status: 'ok', response: {} });
    expect(await socket.event('phx_close')).toMatchObject({ ref: joined.ref, topic: 'realtime:sala' });
    socket.close();
  });
});
