import { REALTIME } from '@linkoteca/domain/limits';

/** The delay before the nth attempt, from 1, to connect or to join again. Milliseconds. */
export function reconnectDelay(tries: number): number {
  const delays: readonly number[] = REALTIME.reconnectMs;
  return delays[tries - 1] ?? delays.at(-1) ?? 0;
}
