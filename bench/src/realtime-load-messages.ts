/** What the benchmark and its process of sockets say to each other. */
export type LoadOrder =
  | {
      readonly kind: 'connect';
      readonly url: string;
      readonly apikey: string;
      readonly people: readonly LoadPerson[];
      readonly socketsPerPerson: number;
    }
  /** Forget what was heard so far. */
  | { readonly kind: 'begin' }
  /** Say what was heard since `begin` of these writes; waits until all have come, or for `patienceMs`. */
  | { readonly kind: 'report'; readonly expected: readonly ExpectedChange[]; readonly patienceMs: number }
  | { readonly kind: 'close' };

export type LoadPerson = { readonly id: string; readonly token: string };

/** One acknowledged write: `key` is its event, the link and what the write put into the link. */
export type ExpectedChange = { readonly key: string; readonly personId: string };

export type LoadReport = {
  /** Milliseconds from the commit to the client, one a delivered message. */
  readonly latencies: readonly number[];
  readonly received: number;
  readonly missing: number;
  readonly repeated: number;
  /** Rows that came to somebody whose they are not. */
  readonly foreign: number;
  /** Sockets or channels that ended by themselves, with the reasons. */
  readonly broken: readonly string[];
};

export type LoadAnswer =
  | { readonly kind: 'connected'; readonly sockets: number; readonly subscriptions: number }
  | { readonly kind: 'begun' }
  | { readonly kind: 'report'; readonly report: LoadReport }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly reason: string };

/** How both sides name a write of a link. */
export const nameChange = (event: string, id: string, title: string): string => `${event} ${id} ${title}`;
