/** Lets `atOnce` through at once and `perSecond` more every second. Holds two numbers, no timer. */
export class TokenBucket {
  readonly #rate: { readonly atOnce: number; readonly perSecond: number };
  #left: number;
  #at: number;

  constructor(rate: { readonly atOnce: number; readonly perSecond: number }, now: number) {
    this.#rate = rate;
    this.#left = rate.atOnce;
    this.#at = now;
  }

  /** @returns false when there is nothing left to take at `now` (milliseconds). */
  take(now: number): boolean {
    const { atOnce, perSecond } = this.#rate;
    this.#left = Math.min(atOnce, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
