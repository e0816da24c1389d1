import { useState } from 'react';
import { openStorage } from './open-storage.ts';

/** One of a few values, remembered in this browser under `key`. */
export function useStoredChoice<Value extends string>(
  key: string,
  choices: readonly [Value, ...Value[]],
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(
    () => choices.find((choice) => choice === openStorage().getItem(key)) ?? choices[0],
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
