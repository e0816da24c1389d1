import type { HookName, HookSettings } from '../settings.ts';
import { type Environment, given, readPath, type Table, variableOf } from './read-key.ts';

/** Hooks of the platform that are called here. */
export const HOOK_NAMES: readonly HookName[] = [
  'custom_access_token',
  'before_user_created',
  'after_user_created',
  'password_verification_attempt',
  'mfa_verification_attempt',
  'send_email',
  'send_sms',
];

type ReadHooks = {
  readonly hooks: Partial<Readonly<Record<HookName, HookSettings>>>;
  readonly faults: readonly string[];
};

/** `pg-functions://DATABASE/SCHEMA/FUNCTION`: the database is always the installation's own. */
const FUNCTION_URI = /^pg-functions:\/\/[^/]+\/([A-Za-z_][\w$-]{0,62})\/([A-Za-z_][\w$-]{0,62})$/;
/** As the platform writes them (Standard Webhooks); several with `|` between, while one is replaced. */
const SECRET = /^v1,whsec_([A-Za-z0-9+/]{32,}={0,2})$/;

/** Which hooks are on, and where they are: in the file, GoTrue's variables over it, and over both those of the platform's command line. */
export function readHooks(file: Table, environment: Environment): ReadHooks {
  const hooks: Partial<Record<HookName, HookSettings>> = {};
  const faults: string[] = [];
  for (const name of HOOK_NAMES) {
    const place = `auth.hook.${name}`;
    const read = (key: string) => {
      const path = `${place}.${key}`;
      const ofGotrue = given(environment, `GOTRUE_HOOK_${name}_${key}`.toUpperCase());
      return given(environment, variableOf(path)) ?? ofGotrue ?? readPath(file, path, environment);
    };
    const enabled = read('enabled') ?? 'false';
    if (enabled !== 'true' && enabled !== 'false') faults.push(`${place}.enabled deve ser true ou false`);
    if (enabled !== 'true') continue;
    const settings = readTarget(read('uri') ?? '', read('secrets') ?? '');
    if ('why' in settings) faults.push(`${place}.${settings.key} ${settings.why}`);
    else hooks[name] = settings;
  }
  return { hooks, faults };
}

type Refusal = { readonly key: string; readonly why: string };

function refuse(key: string, why: string): Refusal {
  return { key, why };
}

/** A refusal repeats no value: some are secret. */
function readTarget(uri: string, secrets: string): HookSettings | Refusal {
  const [, schema, name] = FUNCTION_URI.exec(uri) ?? [];
  if (schema !== undefined && name !== undefined) return { kind: 'function', schema, name };
  const url = URL.parse(uri);
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    return refuse(
      'uri',
      'deve ser pg-functions://postgres/ESQUEMA/FUNÇÃO ou um endereço https:// (http:// só neste computador)',
    );
  const keys = secrets.split('|').map((secret) => SECRET.exec(secret.trim())?.[1]);
  if (keys.some((key) => key === undefined))
    return refuse('secrets', 'deve ser v1,whsec_ e ao menos 24 bytes em base64 (vários se separam por |)');
  return { kind: 'http', url: url.href, secrets: keys.map((key) => Buffer.from(key ?? '', 'base64')) };
}
