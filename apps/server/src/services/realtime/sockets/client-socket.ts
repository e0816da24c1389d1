import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Channel, ChannelSocket } from '../channels/channel.ts';
import { encodeMessage, type Frame, type OutgoingMessage, type Serializer } from './frame.ts';
import type { SocketCounters, SocketLimits } from './socket-limits.ts';

export type ClientSocketOptions = {
  readonly ws: WebSocket;
  /** The connection underneath, which tells how much of what was written has gone out. */
  readonly connection: Duplex & { readonly bytesWritten?: number };
  readonly serializer: Serializer;
  /** The key of the handshake: channels that bring no token of their own listen as it says. */
  readonly apiKey: string;
  /** What policies may read of the handshake (`request.headers`). */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: SocketLimits;
  readonly counters: SocketCounters;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of an error of ours while a message was handled. */
  readonly onFault: (error: unknown) => void;
};

type Task = () => void | Promise<void>;

/** RFC 6455, section 7.4.1: what the other side did was against the rules. */
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
/** Messages that wait their turn in one topic before the client is no longer read from. */
const MAX_WAITING = 100;

/** One client's connection: sends, counts, and keeps each topic's messages in their order. */
export class ClientSocket implements ChannelSocket {
  readonly serializer: Serializer;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  /** By topic, `realtime:` included. */
  readonly channels = new Map<string, Channel>();
  readonly joins: TokenBucket;
  readonly messages: TokenBucket;
  readonly openedAt: number;
  lastReceivedAt: number;
  readonly #ws: WebSocket;
  readonly #connection: ClientSocketOptions['connection'];
  readonly #limits: SocketLimits;
  readonly #counters: SocketCounters;
  readonly #onFault: (error: unknown) => void;
  readonly #now: () => number;
  /** What waits, by topic, for something that takes its time (a question to the database). */
  readonly #queues = new Map<string, Task[]>();
  /** When it last took something, and whether much was waiting. */
  #progress = { sent: 0, isLarge: false, at: 0 };

  constructor(options: ClientSocketOptions) {
    const openedAt = options.now();
    this.serializer = options.serializer;
    this.apiKey = options.apiKey;
    this.headers = options.headers;
    this.joins = new TokenBucket(options.limits.joins, openedAt);
    this.messages = new TokenBucket(options.limits.messages, openedAt);
    this.openedAt = openedAt;
    this.lastReceivedAt = openedAt;
    this.#ws = options.ws;
    this.#connection = options.connection;
    this.#limits = options.limits;
    this.#counters = options.counters;
    this.#onFault = options.onFault;
    this.#now = options.now;
    this.#progress.at = this.openedAt;
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  send(message: OutgoingMessage): void {
    this.sendEncoded(encodeMessage(this.serializer, message), false);
  }

  /** For what was encoded once and goes to many. */
  sendEncoded(data: string | Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    this.#ws.send(data, { binary: isBinary, compress: false });
    this.#counters.messagesSent += 1;
    if (this.#ws.bufferedAmount > this.#limits.backlogBytes) this.#checkBacklog(this.#now());
  }

  /** `phx_reply`; nothing to say to a frame that carried no reference. */
  reply(frame: Frame, status: 'ok' | 'error', responseJson = '{}'): void {
    const { joinRef, ref, topic } = frame;
    const payloadJson = `{"status":"${status}","response":${responseJson}}`;
    this.send({ joinRef, ref, topic, event: 'phx_reply', payloadJson });
  }

  refuse(frame: Frame, reason: string): void {
    this.reply(frame, 'error', JSON.stringify({ reason }));
  }

  /**
   * Runs a topic's tasks one after the other, at once while none of them takes time. Meanwhile more than a few waiting
   * ones stop the reading from this client.
   */
  inTurn(topic: string, task: Task): void {
    const waiting = this.#queues.get(topic);
    if (waiting) {
      waiting.push(task);
      if (waiting.length === MAX_WAITING) this.#ws.pause();
      return;
    }
    const running = this.#attempt(task);
    if (!running) return;
    const queue: Task[] = [];
    this.#queues.set(topic, queue);
    void this.#drain(topic, queue, running);
  }

  /** An error of ours costs this client its connection, never the process. */
  #attempt(task: Task): void | Promise<void> {
    const fail = (error: unknown) => {
      this.#onFault(error);
      this.close(INTERNAL_ERROR, 'internal error');
    };
    try {
      return task()?.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  async #drain(topic: string, queue: Task[], first: Promise<void>): Promise<void> {
    await first;
    for (let next = queue.shift(); next; next = queue.shift()) {
      await this.#attempt(next);
      this.#readOn();
    }
    this.#queues.delete(topic);
  }

  /** Not while any topic has too many waiting. */
  #readOn(): void {
    if (!this.#ws.isPaused) return;
    for (const { length } of this.#queues.values()) if (length >= MAX_WAITING) return;
    this.#ws.resume();
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason);
  }

  /** Ends the connection at once: somebody who does not read would not read a farewell either. */
  cutOff(why: 'backlog' | 'stall' | 'silence' | 'crowd' | 'stop'): void {
    if (why !== 'stop') this.#counters.cutOff[why] += 1;
    this.#ws.terminate();
  }

  closeForMalformed(): void {
    this.#counters.malformed += 1;
    this.close(POLICY_VIOLATION, 'malformed message');
  }

  /** Cuts off a client that has gone silent, or that has taken nothing of what waits for it for too long. */
  checkLiveness(now: number): void {
    if (now - this.lastReceivedAt > this.#limits.silenceMs) this.cutOff('silence');
    else this.#checkBacklog(now);
  }

  /** A burst fills any backlog faster than a client can read: what counts is whether it goes on reading. */
  #checkBacklog(now: number): void {
    const { backlogBytes, maxBacklogBytes, backlogMs, stallMs } = this.#limits;
    const backlog = this.#ws.bufferedAmount;
    const sent = (this.#connection.bytesWritten ?? 0) - backlog;
    const isLarge = backlog > backlogBytes;
    const progress = this.#progress;
    if (backlog > maxBacklogBytes) this.cutOff('backlog');
    else if (backlog === 0 || sent !== progress.sent || isLarge !== progress.isLarge)
      this.#progress = { sent, isLarge, at: now };
    else if (now - progress.at > (isLarge ? backlogMs : stallMs)) this.cutOff(isLarge ? 'backlog' : 'stall');
  }
}

/** Lets `atOnce` through at once and `perSecond` more every second. Holds two numbers, no timer. */
class TokenBucket {
  readonly #rate: { readonly atOnce: number; readonly perSecond: number };
  #left: number;
  #at: number;

  constructor(rate: { readonly atOnce: number; readonly perSecond: number }, now: number) {
    this.#rate = rate;
    this.#left = rate.atOnce;
    this.#at = now;
  }

  /** @returns false when there is nothing left to take at `now` (milliseconds). */
  take(now: number): boolean {
    const { atOnce, perSecond } = this.#rate;
    // A clock that is set back gives nothing, and takes nothing.
    const elapsed = Math.max(0, now - this.#at);
    this.#left = Math.min(atOnce, this.#left + (elapsed / 1000) * perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
