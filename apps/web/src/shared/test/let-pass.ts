const STEP_MS = 10;
/** Turns after the time is over: what the last timer begins needs a few more. */
const MORE_STEPS = 5;

/**
 * Lets at least so much time pass, step by step: all that was due within it has had its turns then, however busy the machine.
 * For proofs that something does not happen.
 */
export async function letPass(ms: number): Promise<void> {
  for (let step = 0; step < ms / STEP_MS + MORE_STEPS; step += 1)
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
}
