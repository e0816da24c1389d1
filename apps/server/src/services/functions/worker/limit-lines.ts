export type LineLimit = {
  /** Whether one more line may go out. */
  allow(): boolean;
};

const BURST = 400;
const LINES_A_SECOND = 100;

/**
 * Lets a flood of output pass as a trickle, so that it neither fills the log nor occupies the server.
 * @param report is told once a second how many lines were left out.
 */
export function limitLines(report: (dropped: number) => void): LineLimit {
  let tokens = BURST;
  let refilledAt = performance.now();
  let dropped = 0;
  let reportedAt = 0;
  return {
    allow() {
      const now = performance.now();
      tokens = Math.min(BURST, tokens + ((now - refilledAt) / 1000) * LINES_A_SECOND);
      refilledAt = now;
      if (tokens < 1) {
        dropped += 1;
        if (now - reportedAt > 1000) {
          reportedAt = now;
          report(dropped);
          dropped = 0;
        }
        return false;
      }
      tokens -= 1;
      return true;
    },
  };
}
