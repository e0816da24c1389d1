import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { handleFrame } from '../channels/handle-frame.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { ClientSocket } from './client-socket.ts';
import { type Handshake, judgeHandshake } from './judge-handshake.ts';
import { parseFrame } from './parse-frame.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';

export type Sockets = {
  readonly size: number;
  /** Says goodbye to every client, waits a moment, and ends what is left; nobody new gets in. */
  stop(): Promise<void>;
};

type Accepted = Extract<Handshake, { ok: true }>;

/** A broadcast of the full size still fits in with its names. */
const FRAME_OVERHEAD_BYTES = 16_384;
/** RFC 6455's registry: the server restarts, come back. */
const SERVICE_RESTART = 1012;
const FAREWELL_MS = 1_000;

/** Takes WebSockets at `path` of an HTTP server (protocol note, section 3.1). */
export function acceptSockets(context: RealtimeContext, server: Server, path: string): Sockets {
  const { limits, counters, logger, keyring, now } = context;
  const sockets = new Set<ClientSocket>();
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.broadcastBytes + FRAME_OVERHEAD_BYTES,
  });
  let isStopping = false;

  const judge = (request: IncomingMessage): Handshake => {
    if ((request.url ?? '').split('?', 1)[0] !== path) return { ok: false, status: 404, error: 'Not found' };
    if (isStopping) return { ok: false, status: 503, error: 'Realtime is restarting, please standby' };
    if (sockets.size >= limits.sockets)
      return { ok: false, status: 429, error: 'ConnectionRateLimitReached: Too many connected users' };
    return judgeHandshake(keyring, request, now());
  };
  const onUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const handshake = judge(request);
    if (!handshake.ok) {
      counters.refusedHandshakes += 1;
      logger.info({ status: handshake.status, error: handshake.error }, 'realtime handshake refused');
      return refuseUpgrade(connection, handshake.status, handshake.error);
    }
    acceptor.handleUpgrade(request, connection, head, (ws) => open(ws, connection, handshake));
  };
  const open = (ws: WebSocket, connection: Duplex, { serializer, apiKey, headers }: Accepted) => {
    const socket = new ClientSocket({
      ws,
      connection,
      serializer,
      apiKey,
      headers,
      limits,
      counters,
      openedAt: now().getTime(),
      onFault: (error) => logger.error({ err: error }, 'a realtime message could not be handled'),
    });
    sockets.add(socket);
    ws.on('message', (data, isBinary) => receive(context, socket, data, isBinary));
    // Whatever breaks on the wire ends in a close, too.
    ws.on('error', (error) => logger.debug({ err: error }, 'a realtime socket broke'));
    ws.on('close', (code) => {
      sockets.delete(socket);
      for (const channel of [...socket.channels.values()]) channel.end();
      const milliseconds = now().getTime() - socket.openedAt;
      logger.debug({ code, milliseconds }, 'realtime socket closed');
    });
  };

  server.on('upgrade', onUpgrade);
  const sweep = setInterval(() => {
    const at = now().getTime();
    for (const socket of [...sockets]) socket.judge(at);
  }, limits.sweepMs).unref();

  return {
    get size() {
      return sockets.size;
    },
    async stop() {
      isStopping = true;
      clearInterval(sweep);
      for (const socket of sockets) socket.close(SERVICE_RESTART, 'Realtime is restarting, please standby');
      const patience = AbortSignal.timeout(FAREWELL_MS);
      while (sockets.size > 0 && !patience.aborted) await sleep(10);
      for (const socket of [...sockets]) socket.cutOff('stop');
      server.off('upgrade', onUpgrade);
    },
  };
}

function receive(context: RealtimeContext, socket: ClientSocket, data: RawData, isBinary: boolean): void {
  // Its type allows for options of ws that are not used here.
  if (!Buffer.isBuffer(data) || !socket.isOpen) return;
  context.counters.messagesReceived += 1;
  socket.lastHeardAt = context.now().getTime();
  const frame = parseFrame(socket.serializer, data, isBinary);
  if (frame) handleFrame(context, socket, frame);
  else socket.closeForMalformed();
}
