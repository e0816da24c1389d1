/** What goes from one copy of the server to the others; JSON-safe, bytes as base64. */
export type CopyMessage = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** The other copies on the same database, reached through the database itself. */
export type CopyBus = {
  /** This copy's name: a UUID made at start. */
  readonly copyId: string;
  /** To all other copies, in order, never back to this one. Costs nothing while there are none. */
  publish(message: CopyMessage): void;
  /** @returns the way to stop listening. */
  listen(listener: CopyListener): () => void;
  stop(): Promise<void>;
};

export type CopyListener = {
  message?(from: string, message: CopyMessage): void;
  /** A copy has come: tell it what it must know (presence). */
  joined?(copyId: string): void;
  /** A copy has gone, or has not been heard for too long: what it held is no more. */
  left?(copyId: string): void;
};
