/** What is wrong, in a word that anybody may read; undefined when nothing is. */
export type Fault = string | undefined;

export type ProbeOptions = {
  readonly ask: () => Promise<Fault>;
  /** What is wrong when no answer comes in time. */
  readonly late: string;
  readonly patienceMs: number;
};

/** An answer counts this long. */
const FRESH_MS = 1_000;
/** While something is known to be wrong nobody waits longer for better news. */
const RECOVERY_PATIENCE_MS = 50;

/**
 * Makes a question that may be asked as often as anybody likes: one is under way at a time and all who ask share its answer, and an
 * answer comes in time even when what is asked never answers.
 * @param options what `ask` rejects with counts as late.
 */
export function createProbe({ ask, late, patienceMs }: ProbeOptions): () => Promise<Fault> {
  let known: { readonly fault: Fault; readonly at: number } | undefined;
  let running: { readonly answer: Promise<Fault>; readonly startedAt: number } | undefined;

  function start(): NonNullable<typeof running> {
    const answer = ask()
      .catch(() => late)
      .then((fault) => {
        known = { fault, at: performance.now() };
        running = undefined;
        return fault;
      });
    return { answer, startedAt: performance.now() };
  }

  return async () => {
    const at = performance.now();
    if (!running && known && at - known.at < FRESH_MS) return known.fault;
    running ??= start();
    const { answer, startedAt } = running;
    const patience = known?.fault === undefined ? startedAt + patienceMs - at : RECOVERY_PATIENCE_MS;
    const fault = await answerWithin(answer, patience);
    if (fault !== 'none yet') return fault;
    known = { fault: known?.fault ?? late, at };
    return known.fault;
  };
}

async function answerWithin(answer: Promise<Fault>, patienceMs: number): Promise<Fault> {
  const { promise, resolve } = Promise.withResolvers<'none yet'>();
  const timer = setTimeout(resolve, patienceMs, 'none yet');
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
