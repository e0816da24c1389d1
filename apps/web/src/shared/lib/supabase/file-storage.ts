import * as v from 'valibot';

/** The bucket of people's files (supabase/migrations/20261123002000_keep_files.sql). */
export const FILES_BUCKET = 'arquivos';

/** The plan's storage has no room for the file. */
export class FullStorageError extends Error {
  override readonly name = 'FullStorageError';
  readonly megabytes: number;

  constructor(megabytes: number) {
    super(`the storage of ${megabytes} MB is full`);
    this.megabytes = megabytes;
  }
}

const refused = v.object({ message: v.string() });

/** Why a file was not taken. The database's sentence about the plan's storage (private.has_room_for) comes through the service as its message. */
export async function readStorageRefusal(answer: Response): Promise<Error> {
  const { success, output } = v.safeParse(refused, await answer.json().catch(() => null));
  const megabytes = success ? /^Limite de armazenamento de (\d+) MB/.exec(output.message)?.[1] : undefined;
  return megabytes === undefined
    ? new Error(`the file was answered with ${answer.status}`)
    : new FullStorageError(Number(megabytes));
}
