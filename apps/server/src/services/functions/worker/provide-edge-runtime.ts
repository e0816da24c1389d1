import { describeThrown } from './describe-thrown.ts';
import type { Failure } from './worker-messages.ts';

/**
 * `EdgeRuntime.waitUntil`: work that goes on after the answer. The worker lives until it is done, within its time limit.
 * @param tell hears how many promises are open whenever that changes from or to none.
 * @param report hears of work that failed: the answer is out already, nobody but the log can know.
 */
export function provideEdgeRuntime(tell: (open: number) => void, report: (failure: Failure) => void): void {
  let open = 0;
  const waitUntil = (work: unknown) => {
    open += 1;
    if (open === 1) tell(open);
    Promise.resolve(work)
      .catch((error: unknown) => report(describeThrown(error)))
      .finally(() => {
        open -= 1;
        if (open === 0) tell(open);
      });
    return work;
  };
  Object.defineProperty(globalThis, 'EdgeRuntime', { value: Object.freeze({ waitUntil }) });
}
