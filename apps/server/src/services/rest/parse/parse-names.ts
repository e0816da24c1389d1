import type { Outcome } from '../outcome.ts';
import { takeName } from './parse-field.ts';
import { parseWith } from './scanner.ts';

/** A list of column names: `columns="title","url"` and `on_conflict=user_id,name`. Repeated names count once. */
export function parseNames(label: string, text: string): Outcome<readonly string[]> {
  return parseWith(label, text, (scanner) => {
    const names = new Set<string>();
    do {
      scanner.skipBlanks();
      names.add(takeName(scanner));
      scanner.skipBlanks();
    } while (scanner.take(','));
    return [...names];
  });
}
