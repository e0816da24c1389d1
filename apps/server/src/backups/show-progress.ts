const [ON_A_TERMINAL_MS, ELSEWHERE_MS] = [200, 10_000];

/** How far a command is, on standard error: one line that changes on a terminal, else a line now and then. */
export function showProgress(stream: NodeJS.WriteStream, now: () => number = Date.now) {
  const everyMs = stream.isTTY ? ON_A_TERMINAL_MS : ELSEWHERE_MS;
  let last = now();
  let isShown = false;
  return {
    update(text: () => string): void {
      if (now() - last < everyMs) return;
      last = now();
      isShown = true;
      stream.write(stream.isTTY ? `\r\u001B[K${text()}` : `${text()}\n`);
    },
    /** Leaves nothing of it on a terminal. */
    end(): void {
      if (stream.isTTY && isShown) stream.write('\r\u001B[K');
    },
  };
}
