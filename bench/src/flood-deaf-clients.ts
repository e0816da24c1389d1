import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { RunningServer } from './start-server.ts';

export type FloodOptions = {
  readonly server: RunningServer;
  readonly clients: number;
  readonly messages: number;
  readonly messageBytes: number;
};

const CUT_OFF_WITHIN_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Opens clients that join a channel and then never read, and broadcasts to that channel.
 * @returns how many of them the server has cut off within a minute.
 */
export async function floodDeafClients(options: FloodOptions): Promise<number> {
  const { server, clients, messages, messageBytes } = options;
  const topic = `surdos ${randomUUID()}`;
  const address = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.anonKey}&vsn=2.0.0`;
  const deaf = await Promise.all(Array.from({ length: clients }, () => joinDeaf(address, topic)));
  const cutOff = new Set<WebSocket>();
  for (const socket of deaf) socket.on('close', () => cutOff.add(socket));
  const body = JSON.stringify({ texto: 'x'.repeat(messageBytes) });
  for (let n = 0; n < messages; n += 1) {
    await fetch(`${server.url}/realtime/v1/api/broadcast/${encodeURIComponent(topic)}/events/x`, {
      method: 'POST',
      headers: { apikey: server.anonKey, 'content-type': 'application/json' },
      body,
    });
    await pause(PAUSE_MS);
  }
  const deadline = Date.now() + CUT_OFF_WITHIN_MS;
  while (cutOff.size < clients && Date.now() < deadline) {
    // Who does not read notices the end of a connection only by writing into it.
    for (const socket of deaf)
      if (socket.readyState === WebSocket.OPEN) socket.send('[null,"1","phoenix","heartbeat",{}]');
    await pause(PAUSE_MS);
  }
  for (const socket of deaf) socket.terminate();
  return cutOff.size;
}

function joinDeaf(address: string, topic: string): Promise<WebSocket> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify(['1', '1', `realtime:${topic}`, 'phx_join', {}])));
    socket.once('message', () => {
      socket.pause();
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
