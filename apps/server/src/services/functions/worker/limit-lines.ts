export type LineLimit = {
  /** Whether one more line may go out. */
  allow(): boolean;
};

const BURST = 400;
const LINES_A_SECOND = 100;
const REPORT_AFTER_MS = 1_000;

/**
 * Lets a flood of output pass as a trickle, so that it neither fills the log nor occupies the server.
 * @param report is told, at most once a second, how many lines were left out.
 */
export function limitLines(report: (dropped: number) => void): LineLimit {
  let tokens = BURST;
  let refilledAt = performance.now();
  let dropped = 0;

  const tell = () => {
    report(dropped);
    dropped = 0;
  };
  return {
    allow() {
      const now = performance.now();
      tokens = Math.min(BURST, tokens + ((now - refilledAt) / 1000) * LINES_A_SECOND);
      refilledAt = now;
      if (tokens >= 1) {
        tokens -= 1;
        return true;
      }
      if (dropped === 0) setTimeout(tell, REPORT_AFTER_MS).unref();
      dropped += 1;
      return false;
    },
  };
}
