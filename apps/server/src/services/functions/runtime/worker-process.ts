/** A process that runs a function, seen from the server: it may be the child of another process. */
export type WorkerProcess = {
  /** Undefined until it is known. */
  pid(): number | undefined;
  send(message: object): void;
  /** At once. */
  kill(): void;
  /** Below the server and Postgres. */
  lowerPriority(): void;
  onMessage(hear: (message: unknown) => void): void;
  /** Called once. @param signal what ended it, null when it ended by itself or could not be started. */
  onEnd(ended: (signal: NodeJS.Signals | null) => void): void;
};

/** What is to be started. */
export type LaunchOrder = {
  readonly name: string;
  /** Its place among the functions: never that of another one. */
  readonly ordinal: number;
  /** In the launcher's socket folder, below the folder that is named by the ordinal. */
  readonly socketPath: string;
  /** Whether it opens the socket of the embedded Postgres, which lets its owner in alone. */
  readonly usesDatabaseSocket: boolean;
};

export type Launcher = {
  launch(order: LaunchOrder): WorkerProcess;
  /** Call it when no worker runs any more; resolves when nothing is left of it. */
  close(): Promise<void>;
};
