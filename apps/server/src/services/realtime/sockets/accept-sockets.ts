import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { networkOf, readAddress } from '../../../kernel/networks.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { ClientSocket } from './client-socket.ts';
import { type Frame, parseFrame } from './frame.ts';
import { collectGarbage, watchPeak } from './release-memory.ts';
import { TOO_MANY_SOCKETS } from './socket-places.ts';
import { type Handshake, validateHandshake } from './validate-handshake.ts';

export type AcceptSocketsOptions = {
  readonly server: Server;
  readonly path: string;
  /** What a client says, one frame at a time. */
  readonly onFrame: (context: RealtimeContext, socket: ClientSocket, frame: Frame) => void;
};

export type Sockets = {
  readonly size: number;
  /** Says goodbye to every client, waits a moment, and ends what is left; nobody new gets in. */
  stop(): Promise<void>;
};

/** A broadcast of the full size still fits in with its names. */
const FRAME_OVERHEAD_BYTES = 16_384;
/** RFC 6455's registry: the server restarts, come back. */
const SERVICE_RESTART = 1012;
const FAREWELL_MS = 1_000;
const RESTARTING = { ok: false, status: 503, error: 'Realtime is restarting, please standby' } as const;
const NOT_FOUND = { ok: false, status: 404, error: 'Not found' } as const;
const FULL = { ok: false, status: 429, error: TOO_MANY_SOCKETS } as const;

/** Takes WebSockets at `path` of an HTTP server (protocol note, section 3.1). */
export function acceptSockets(
  context: RealtimeContext,
  { server, path, onFrame }: AcceptSocketsOptions,
): Sockets {
  const { limits, now } = context;
  const sockets = new Set<ClientSocket>();
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.broadcastBytes + FRAME_OVERHEAD_BYTES,
  });
  let isStopping = false;

  const onUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const network = networkOf(readAddress(request, context.trustProxy));
    const handshake = isStopping ? RESTARTING : validateUpgrade(context, network, path, request);
    if (handshake.ok)
      acceptor.handleUpgrade(request, connection, head, (ws) =>
        openSocket(context, sockets, { ws, connection, network, handshake, onFrame }),
      );
    else refuse(context, connection, handshake);
  };
  server.on('upgrade', onUpgrade);
  const peak = watchPeak(collectGarbage);
  const sweep = setInterval(() => {
    const at = now().getTime();
    for (const socket of [...sockets]) socket.checkLiveness(at);
    peak.update(sockets.size);
  }, limits.sweepMs).unref();

  return {
    get size() {
      return sockets.size;
    },
    async stop() {
      isStopping = true;
      clearInterval(sweep);
      for (const socket of sockets) socket.close(SERVICE_RESTART, RESTARTING.error);
      const patience = AbortSignal.timeout(FAREWELL_MS);
      while (sockets.size > 0 && !patience.aborted) await sleep(10);
      for (const socket of [...sockets]) socket.cutOff('stop');
      server.off('upgrade', onUpgrade);
    },
  };
}

function validateUpgrade(
  { places, keyring, now }: RealtimeContext,
  network: string,
  path: string,
  request: IncomingMessage,
): Handshake {
  if ((request.url ?? '').split('?', 1)[0] !== path) return NOT_FOUND;
  const handshake = validateHandshake(keyring, request, now());
  // Nobody makes room for somebody who may not come in.
  return !handshake.ok || places.hasRoom(network) ? handshake : FULL;
}

function refuse(
  { counters, logger }: RealtimeContext,
  connection: Duplex,
  { status, error }: Extract<Handshake, { ok: false }>,
): void {
  counters.refusedHandshakes += 1;
  logger.info({ status, error }, 'realtime handshake refused');
  refuseUpgrade(connection, status, error);
}

type Opened = {
  readonly ws: WebSocket;
  readonly connection: Duplex;
  readonly network: string;
  readonly handshake: Extract<Handshake, { ok: true }>;
  readonly onFrame: AcceptSocketsOptions['onFrame'];
};

function openSocket(context: RealtimeContext, sockets: Set<ClientSocket>, opened: Opened): void {
  const { limits, counters, logger, now, places } = context;
  const { ws, connection, network, handshake, onFrame } = opened;
  const socket = new ClientSocket({
    ...handshake,
    ws,
    connection,
    limits,
    counters,
    now: () => now().getTime(),
    onFault: (error) => logger.error({ err: error }, 'a realtime message could not be handled'),
  });
  sockets.add(socket);
  places.open(socket, network);
  ws.on('message', (data, isBinary) => {
    const frame = receive(context, socket, data, isBinary);
    if (frame) onFrame(context, socket, frame);
  });
  // Whatever breaks on the wire ends in a close, too.
  ws.on('error', (error) => logger.debug({ err: error }, 'a realtime socket broke'));
  ws.on('close', (code) => {
    sockets.delete(socket);
    places.close(socket);
    for (const channel of [...socket.channels.values()]) channel.end();
    const milliseconds = now().getTime() - socket.openedAt;
    logger.debug({ code, milliseconds }, 'realtime socket closed');
  });
}

function receive(
  context: RealtimeContext,
  socket: ClientSocket,
  data: RawData,
  isBinary: boolean,
): Frame | undefined {
  // Its type allows for options of ws that are not used here.
  if (!Buffer.isBuffer(data) || !socket.isOpen) return undefined;
  context.counters.messagesReceived += 1;
  socket.lastReceivedAt = context.now().getTime();
  const frame = parseFrame(socket.serializer, data, isBinary);
  if (!frame) socket.closeForMalformed();
  return frame;
}

/** Answers a handshake with an HTTP error whose body the official client reads, and ends the connection. */
function refuseUpgrade(connection: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  connection.on('error', () => undefined);
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
