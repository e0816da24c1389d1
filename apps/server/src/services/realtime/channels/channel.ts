import type { Caller } from '../../../kernel/caller-context.ts';
import type { TopicExtension } from '../authorization/create-topic-access.ts';
import type { BroadcastMessage } from '../broadcast/broadcast-message.ts';
import type {
  ChangeRequest,
  ChangeSubscription,
  ChannelSubscriber,
} from '../changes/change-subscriptions.ts';
import type { Frame, OutgoingMessage, Ref, Serializer } from '../sockets/frame.ts';

/** What a join asks for (protocol note, section 3.2), read and filled in. */
export type JoinConfig = {
  readonly isPrivate: boolean;
  readonly ack: boolean;
  readonly self: boolean;
  /** Undefined: nothing is replayed. `since` in milliseconds since 1970. */
  readonly replay: { readonly since: number; readonly limit: number } | undefined;
  readonly replicationReady: boolean;
  /** Undefined when the client leaves the choice to the server. */
  readonly presenceKey: string | undefined;
  readonly presenceEnabled: boolean;
  readonly changes: readonly ChangeRequest[];
  /** The same entries as JSON objects without their braces and without keys that are null: the reply repeats them. */
  readonly changesEcho: readonly string[];
  /** How long the reply is held back until changes are live; undefined: not at all. */
  readonly waitMs: number | undefined;
  /** As sent; a key of the hosted platform's newer kind (`sb_…`) counts as absent. */
  readonly accessToken: string | undefined;
};

/** What a channel needs of the connection that it is joined over. */
export type ChannelSocket = {
  readonly serializer: Serializer;
  /** What policies may read of the handshake (`request.headers`). */
  readonly headers: Readonly<Record<string, string>>;
  send(message: OutgoingMessage): void;
  sendEncoded(data: string | Buffer, isBinary: boolean): void;
  reply(frame: Frame, status: 'ok' | 'error', responseJson?: string): void;
  refuse(frame: Frame, reason: string): void;
};

export type ChannelOptions = {
  readonly id: number;
  readonly socket: ChannelSocket;
  /** With `realtime:`. */
  readonly fullTopic: string;
  readonly joinRef: Ref;
  readonly config: JoinConfig;
  readonly presenceKey: string;
  readonly token: ChannelToken;
  /** Takes the channel out of everything that feeds it. */
  readonly onClosed: (channel: Channel) => void;
};

export type ChannelToken = {
  readonly text: string;
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
};

/** Of one channel, while it joins. */
const MAX_HELD = 1_000;
const EVERYTHING = { broadcast: true, presence: true };

/** One joined topic of one socket: what it may receive, and the ways to tell it. */
export class Channel implements ChannelSubscriber {
  readonly id: number;
  readonly topic: string;
  readonly fullTopic: string;
  readonly joinRef: Ref;
  readonly config: JoinConfig;
  readonly socket: ChannelSocket;
  readonly presenceKey: string;
  token: ChannelToken;
  /** What policies let it receive; a public channel receives everything. */
  reads: Readonly<Record<TopicExtension, boolean>> = EVERYTHING;
  /** What policies let it say, asked at the first attempt; begun anew with another token and when policies changed. */
  writes = new Map<TopicExtension, boolean>();
  subscription: ChangeSubscription | undefined;
  /** Why there is none although the join asked for one. */
  changesFault: string | undefined;
  /** Stored messages it has had replayed: not sent again when they come through the log. */
  replayed: ReadonlySet<string> | undefined;
  /** Counts the announcements of its changes: a newer one ends the older. */
  announcements = 0;
  receivesPresence: boolean;
  /** How much of what happened in its topic it was told as the state. */
  presenceSequence = 0;
  trackCalls = { since: 0, count: 0 };
  #isOpen = true;
  /** What came before the join was answered: a client that still joins would not know what to do with it. */
  #held: (() => void)[] | undefined = [];
  readonly #onClosed: (channel: Channel) => void;

  constructor(options: ChannelOptions) {
    this.id = options.id;
    this.socket = options.socket;
    this.fullTopic = options.fullTopic;
    this.topic = options.fullTopic.slice('realtime:'.length);
    this.joinRef = options.joinRef;
    this.config = options.config;
    this.presenceKey = options.presenceKey;
    this.token = options.token;
    this.receivesPresence = options.config.presenceEnabled;
    this.#onClosed = options.onClosed;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isPrivate(): boolean {
    return this.config.isPrivate;
  }

  /** Whether its join has been answered. */
  get isAnswered(): boolean {
    return this.#held === undefined;
  }

  caller(): Caller {
    return this.token.caller;
  }

  /** A broadcast, in the order it came; not what has been replayed already. */
  receive(message: BroadcastMessage): void {
    if (this.#hold(() => this.receive(message))) return;
    if (message.id !== undefined && this.replayed?.has(message.id)) return;
    const encoded = message.encode(this.socket.serializer);
    if (encoded) this.socket.sendEncoded(encoded.data, encoded.isBinary);
  }

  send(event: string, payloadJson: string): void {
    if (!this.#isOpen || this.#hold(() => this.send(event, payloadJson))) return;
    this.socket.send({ joinRef: null, ref: null, topic: this.fullTopic, event, payloadJson });
  }

  /** The join has been answered: what was held goes out, and everything else at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const send of held) send();
  }

  #hold(send: () => void): boolean {
    if (!this.#held) return false;
    if (this.#held.push(send) > MAX_HELD) this.fail('system', 'Too many messages while joining');
    return true;
  }

  sendSystem(status: 'ok' | 'error', extension: string, message: string): void {
    const payloadJson = JSON.stringify({ extension, status, message, channel: this.topic });
    this.sendJoined('system', payloadJson);
  }

  /** Like `send`, but for this very join: a client that has joined again since drops it. */
  sendJoined(event: string, payloadJson: string): void {
    this.#sendAsJoined(event, null, payloadJson);
  }

  /** A `system` error, then `phx_close`: the official client does not join again by itself. */
  shutDown(message: string): void {
    this.sendSystem('error', 'system', message);
    this.close();
  }

  fail(extension: string, message: string): void {
    this.sendSystem('error', extension, message);
    this.#sendAsJoined('phx_error', this.joinRef, '{}');
    this.end();
  }

  /** `phx_close` carries the join's reference, so that a channel joined again since is not meant. */
  close(): void {
    this.#sendAsJoined('phx_close', this.joinRef, '{}');
    this.end();
  }

  /** Without a word: the connection is gone. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.subscription?.cancel();
    this.#onClosed(this);
  }

  #sendAsJoined(event: string, ref: Ref, payloadJson: string): void {
    if (!this.#isOpen) return;
    this.socket.send({ joinRef: this.joinRef, ref, topic: this.fullTopic, event, payloadJson });
  }
}
