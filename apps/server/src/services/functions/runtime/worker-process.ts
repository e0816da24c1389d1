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

/** What one worker may use; those of the hosted platform where it names one. */
export type WorkerLimits = {
  /** Until the function has been loaded. */
  readonly bootMs: number;
  /** Until the first byte of the answer. */
  readonly idleMs: number;
  /** A whole call, and the work it leaves behind. */
  readonly wallMs: number;
  /** Processor time in which the function lets nothing else run: a loop without an end. */
  readonly blockedCpuMs: number;
  /** The same without using the processor, as `Atomics.wait` does. */
  readonly blockedMs: number;
  /** Processor time after which a worker is replaced when its calls are over. */
  readonly lifetimeCpuMs: number;
  readonly memoryMiB: number;
  /** Without calls. An idle laptop keeps no worker. */
  readonly retireAfterMs: number;
  /** Workers of one function: a second one starts when the first does not react. */
  readonly workersEach: number;
  readonly bodyBytes: number;
  /** For calls under way when the server stops. */
  readonly closeMs: number;
};

export const DEFAULT_WORKER_LIMITS: WorkerLimits = {
  bootMs: 30_000,
  idleMs: 150_000,
  wallMs: 400_000,
  blockedCpuMs: 2_000,
  blockedMs: 30_000,
  lifetimeCpuMs: 300_000,
  memoryMiB: 256,
  retireAfterMs: 60_000,
  workersEach: 3,
  bodyBytes: 10 * 1024 * 1024,
  closeMs: 12_000,
};
