import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { CommandError } from './command-error.ts';

/** Where a person's library is, and the token that opens it. */
export type Credentials = { readonly url: string; readonly token: string };

type Environment = Readonly<Record<string, string | undefined>>;

const schema = v.object({ url: v.string(), token: v.string() });

/** As the XDG base directory specification says. */
export function credentialsPath({ XDG_CONFIG_HOME = '', HOME = homedir() }: Environment): string {
  return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'linkoteca', 'credentials.json');
}

/**
 * The address of an installation, without a slash at its end.
 * @throws CommandError for what is none
 */
export function readInstallation(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new CommandError(`"${text}" não é o endereço de uma Linkoteca.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * From `LINKOTECA_URL` and `LINKOTECA_TOKEN`, else from what `login` has kept.
 * @throws CommandError where there are none, or where others may read them
 */
export async function readCredentials(environment: Environment): Promise<Credentials> {
  const { LINKOTECA_URL: url = '', LINKOTECA_TOKEN: token = '' } = environment;
  if (url !== '' && token !== '') return { url: readInstallation(url), token };
  const path = credentialsPath(environment);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new CommandError(
      'Entre primeiro: npx linkoteca login ENDEREÇO (ou LINKOTECA_URL e LINKOTECA_TOKEN).',
    );
  if ((found.mode & 0o077) !== 0)
    throw new CommandError(`Outros podem ler ${path}: corrija com chmod 600 ou entre de novo.`);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await readFile(path, 'utf8'));
  if (!parsed.success) throw new CommandError(`${path} está danificado: entre de novo.`);
  return { url: readInstallation(parsed.output.url), token: parsed.output.token };
}

/** Keeps them for their owner alone. @returns where */
export async function saveCredentials(environment: Environment, credentials: Credentials): Promise<string> {
  const path = credentialsPath(environment);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(credentials)}\n`, { mode: 0o600 });
  // One that was there before keeps its own mode.
  await chmod(path, 0o600);
  return path;
}
