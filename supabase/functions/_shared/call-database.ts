/** How a function reaches the table API of its own installation. */
export type DatabaseAccess = {
  readonly fetch: typeof fetch;
  /** `SUPABASE_URL` */
  readonly url: string;
  readonly key: string;
  /** The caller's own token, to act as the caller; without it the key's role. */
  readonly authorization?: string;
};

/** What the database answered: a value, or a refusal. `sentence` is for people; what Postgres itself says is not. */
export type DatabaseAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly sentence: string | undefined };

const PATIENCE_MS = 10_000;

/** Calls a function of the database. @throws when it cannot be reached. */
export async function callDatabase(
  access: DatabaseAccess,
  name: string,
  args: object,
): Promise<DatabaseAnswer> {
  const response = await access.fetch(`${access.url}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: {
      apikey: access.key,
      authorization: access.authorization ?? `Bearer ${access.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(args),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  if (response.ok) return { ok: true, value: text === '' ? null : JSON.parse(text) };
  return { ok: false, status: response.status, sentence: readSentence(text) };
}

/** Our own refusals carry codes of this kind (`PT404`). */
function readSentence(text: string): string | undefined {
  try {
    const { code, message } = JSON.parse(text);
    return /^PT\d{3}$/.test(code) && typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

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

/** Our own database did not answer, or not as it should. */
export class InstallationUnreachable extends Error {
  override readonly name = 'InstallationUnreachable';
}
