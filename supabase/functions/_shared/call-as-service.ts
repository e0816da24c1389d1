import { callDatabase, type DatabaseAccess } from './call-database.ts';
import { InstallationUnreachable } from './installation-unreachable.ts';

/** Calls a function of the database with the service key. @throws InstallationUnreachable whenever it does not do it. */
export async function callAsService(
  { fetch, url, key }: DatabaseAccess,
  name: string,
  args: object,
): Promise<unknown> {
  const answer = await callDatabase({ fetch, url, key }, name, args).catch((cause: unknown) => {
    throw new InstallationUnreachable(`${name}: no answer`, { cause });
  });
  if (!answer.ok) throw new InstallationUnreachable(`${name}: status ${answer.status}`);
  return answer.value;
}
