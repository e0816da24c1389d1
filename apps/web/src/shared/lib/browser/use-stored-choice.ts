import { useState } from 'react';

/** One of a few values, remembered in this browser under `key`. */
export function useStoredChoice<Value extends string>(
  key: string,
  choices: readonly [Value, ...Value[]],
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(
    () => choices.find((choice) => choice === read(key)) ?? choices[0],
  );
  const choose = (next: Value) => {
    setValue(next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // A browser without storage forgets the choice; the screen works all the same.
    }
  };
  return [value, choose];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
