import { useCallback, useRef } from 'react';

/**
 * Lets one run of an async function be under way at a time; calls in between do nothing. A disabled button comes one
 * render too late for a double Enter.
 */
export function useSingleFlight<Input>(
  run: (input: Input) => Promise<void>,
): (input: Input) => Promise<void> {
  const flying = useRef(false);
  const latest = useRef(run);
  latest.current = run;
  return useCallback(async (input) => {
    if (flying.current) return;
    flying.current = true;
    try {
      await latest.current(input);
    } finally {
      flying.current = false;
    }
  }, []);
}
