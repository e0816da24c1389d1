import type { PublicationSource } from '../catalogue/create-publication-source.ts';
import type { Publication } from '../catalogue/publication.ts';
import { checkRequest, RefusedRequest, type RequestPreparer } from '../requests/create-request-preparer.ts';
import type { Channels } from './create-channels.ts';
import type { Entry, ListeningChannel } from './listening-channel.ts';

/** Keeps what channels are registered for in step with what is published and who may read it. */
export type SubscriptionSync = {
  /** What all registered channels are prepared for, if that is recent enough to decide by. */
  ready(): Publication | undefined;
  /** Makes it recent. @throws what the database threw. */
  apply(): Promise<Publication>;
  /** Registers a channel's requests. @throws RefusedRequest; what the database threw. */
  register(channel: ListeningChannel): Promise<void>;
  /** Whether the channel may go on with its requests as its present caller; ends it if not. */
  recheck(channel: ListeningChannel): void;
};

export function createSubscriptionSync(
  source: PublicationSource,
  preparer: RequestPreparer,
  channels: Channels,
): SubscriptionSync {
  let applied: Publication | undefined;
  let applying: Promise<Publication> | undefined;

  function prepare(channel: ListeningChannel, publication: Publication): Promise<Entry[]> {
    const entries = channel.requests.map(async (request, at) => ({
      id: channel.ids[at] ?? 0,
      channel,
      request,
      filters: await preparer.prepare(request, channel.viewer.caller, publication),
    }));
    return Promise.all(entries);
  }

  async function applyNewest(): Promise<Publication> {
    const publication = await source.current();
    if (publication === applied) return publication;
    const registered = [...channels.all].filter(({ entries }) => entries.length > 0);
    const moves = registered.map(async (channel) => {
      try {
        channels.register(channel, await prepare(channel, publication));
      } catch (error) {
        channels.fail(channel, error);
      }
    });
    await Promise.all(moves);
    applied = publication;
    return publication;
  }

  function apply(): Promise<Publication> {
    applying ??= applyNewest().finally(() => {
      applying = undefined;
    });
    return applying;
  }

  function checkAll({ requests, viewer }: ListeningChannel, publication: Publication): void {
    for (const request of requests) checkRequest(request, viewer.caller.role, publication);
  }

  async function register(channel: ListeningChannel): Promise<void> {
    let publication: Publication;
    let entries: readonly Entry[];
    do {
      publication = await apply();
      entries = await prepare(channel, publication);
      // Meanwhile something else may have been published.
    } while (publication !== applied);
    // And the channel may have another caller.
    checkAll(channel, publication);
    channels.register(channel, entries);
  }

  return {
    ready() {
      const fresh = source.fresh();
      return fresh === applied ? fresh : undefined;
    },
    apply,
    async register(channel) {
      try {
        await register(channel);
      } catch (error) {
        if (!(error instanceof RefusedRequest)) throw error;
        // The table was published, or the right granted, a moment ago: look once more.
        source.expire();
        await register(channel);
      }
    },
    recheck(channel) {
      if (applied === undefined || channel.entries.length === 0) return;
      try {
        checkAll(channel, applied);
      } catch (error) {
        channels.fail(channel, error);
      }
    },
  };
}
