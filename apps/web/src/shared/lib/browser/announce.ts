type Speak = (message: string) => void;

let speak: Speak | null = null;
let waiting: readonly string[] = [];

/** Called by the live region when it can speak; what was announced earlier is said then. Returns the way back. */
export function connectAnnouncer(next: Speak): () => void {
  speak = next;
  for (const message of waiting) next(message);
  waiting = [];
  return () => {
    speak = null;
  };
}

/**
 * Tells people who use a screen reader what others see change: how many are picked, where something went. It waits
 * for its turn and never interrupts. Toasts announce themselves; words that a fast hand would repeat (a count that
 * changes with every key) are for the caller to hold back until the hand rests.
 */
export function announce(message: string): void {
  if (speak) speak(message);
  else waiting = [...waiting, message];
}
