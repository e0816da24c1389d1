import type { Library } from '../../../library/library.ts';

/** What the database numbers in one statement. */
const MOST_AT_ONCE = 1_000;

/** Numbers of the person's own links or tags, by their ids: the ids that linkding's programs know. */
export async function numberRows(
  library: Library,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>();
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const { rows } = await library.write<{ id: string; number: string }>({
      name: 'api_number_rows',
      text: 'select id, number from private.number_rows($1::uuid[])',
      values: [ids.slice(at, at + MOST_AT_ONCE)],
    });
    for (const { id, number } of rows) numbers.set(id, Number(number));
  }
  return numbers;
}

/** The id for which a number stands; undefined where the person has none such. */
export async function findNumbered(library: Library, number: string): Promise<string | undefined> {
  if (!/^\d{1,15}$/.test(number)) return undefined;
  const { rows } = await library.read<{ id: string | null }>({
    name: 'api_numbered_row',
    text: 'select private.numbered_row($1) as id',
    values: [number],
  });
  return rows[0]?.id ?? undefined;
}
