import { useRef } from 'react';

/** The last value there was, as long as it has to stay. A deletion elsewhere must not take a form away with what is typed. */
export function useKeptWhile<Value>(staying: boolean, value: Value | undefined): Value | undefined {
  const last = useRef(value);
  if (value !== undefined || !staying) last.current = value;
  return last.current;
}
