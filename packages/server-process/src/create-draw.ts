/** Random choices that a seed repeats. */
export type Draw = {
  /** From 0 up to, and without, `end`. */
  number(end: number): number;
  chance(percent: number): boolean;
  one<T>(list: readonly T[]): T;
  many<T>(most: number, make: () => T): readonly T[];
};

/** Mulberry32: 32 bits of state, enough to repeat a run. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const number = (end: number) => Math.floor(next() * end);
  return {
    number,
    chance: (percent) => number(100) < percent,
    one: <T>(list: readonly T[]) => list[number(list.length)] as T,
    many: (most, make) => Array.from({ length: number(most + 1) }, make),
  };
}
