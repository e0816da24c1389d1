import { IDS_PER_CALL } from '@linkoteca/domain/limits';

/** A part of a long call went through before another failed, which is the `cause`. */
export class PartlyDone extends Error {
  override readonly name = 'PartlyDone';
  readonly doneIds: ReadonlySet<string>;

  constructor(doneIds: readonly string[], cause: unknown) {
    super('some parts of the call went through', { cause });
    this.doneIds = new Set(doneIds);
  }
}

/**
 * Calls a function of the service with as many ids as it takes at once, one part after the other. Each part is all or
 * nothing; the whole is only where it fits one call.
 * @param call returns how many rows it touched.
 * @param most ids that one call is given.
 * @returns how many rows were touched altogether.
 * @throws what the first part throws; PartlyDone when a later one fails.
 */
export async function callInParts(
  ids: readonly string[],
  call: (part: string[]) => Promise<number>,
  most: number = IDS_PER_CALL,
): Promise<number> {
  let touched = await call(ids.slice(0, most));
  for (let start = most; start < ids.length; start += most) {
    try {
      touched += await call(ids.slice(start, start + most));
    } catch (error) {
      throw new PartlyDone(ids.slice(0, start), error);
    }
  }
  return touched;
}
