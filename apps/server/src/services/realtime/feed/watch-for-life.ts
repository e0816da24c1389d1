export type LifeWatch = { heard(): void; stop(): void };

/**
 * A network that loses a connection tells nobody. After a silence the other side is asked for a sign; only a second one in
 * a row counts, because after a pause of this machine the first look comes before what has arrived meanwhile is read.
 */
export function watchForLife(options: {
  readonly ping: () => void;
  readonly onSilence: () => void;
  readonly silenceMs: number;
}): LifeWatch {
  let wasHeard = true;
  let wasPinged = false;
  const timer = setInterval(() => {
    if (wasHeard) {
      wasHeard = false;
      wasPinged = false;
    } else if (wasPinged) {
      clearInterval(timer);
      options.onSilence();
    } else {
      wasPinged = true;
      options.ping();
    }
  }, options.silenceMs);
  timer.unref();
  return {
    heard() {
      wasHeard = true;
    },
    stop: () => clearInterval(timer),
  };
}
