import type { SignInProviderSettings } from '../settings.ts';
import type { SignInProviderNames } from '../sign-in-settings.ts';
import { type Environment, given, readPath, type Table, variableOf } from './read-key.ts';

export type ReadExternal = {
  /** By the name of the provider; those that are off are not there. */
  readonly providers: Readonly<Record<string, SignInProviderSettings>>;
  readonly faults: readonly string[];
};

/** Secrets travel there: unencrypted only as far as this machine. */
const ADDRESS = /^(?:https:\/\/[^\s/?#@]+|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?)(?:\/[^\s?#]*)?$/;
const NOT_EMPTY = 'não pode ser vazio';
const WHAT = 'deve ser um endereço https:// (http:// só neste computador)';

/**
 * The platform's settings of providers to sign in with: `[auth.external.NAME]` of the file, over it GoTrue's variables, over both those of
 * the platform's command line.
 * @param offered providers that this server has
 * @param setOtherwise names of those that variables of this server's own set
 */
export function readExternal(
  file: Table,
  environment: Environment,
  offered: readonly SignInProviderNames[],
  setOtherwise: readonly string[],
): ReadExternal {
  const providers: Record<string, SignInProviderSettings> = {};
  const faults: string[] = [];
  for (const { name, issuer } of offered) {
    const place = `auth.external.${name}`;
    const read = (key: string) =>
      given(environment, variableOf(`${place}.${key}`)) ??
      given(environment, `GOTRUE_EXTERNAL_${name}_${key}`.toUpperCase()) ??
      readPath(file, `${place}.${key}`, environment) ??
      '';
    const found: string[] = [];
    const flag = (key: string) => {
      const text = read(key) || 'false';
      if (text !== 'true' && text !== 'false') found.push(`${place}.${key} deve ser true ou false`);
      return text === 'true';
    };
    const isEnabled = flag('enabled');
    const skipNonceCheck = flag('skip_nonce_check');
    faults.push(...found);
    if (!isEnabled || setOtherwise.includes(name)) continue;
    const [clientId = '', ...otherClientIds] = read('client_id')
      .split(',')
      .map((id) => id.trim());
    const [secret, url, redirectUri] = [read('secret'), read('url') || issuer, read('redirect_uri')];
    const wrong = [
      ...(clientId === '' || otherClientIds.includes('') ? [`${place}.client_id ${NOT_EMPTY}`] : []),
      ...(secret === '' ? [`${place}.secret ${NOT_EMPTY}`] : []),
      ...(ADDRESS.test(url) ? [] : [`${place}.url ${WHAT}`]),
      ...(redirectUri === '' || ADDRESS.test(redirectUri) ? [] : [`${place}.redirect_uri ${WHAT}`]),
    ];
    faults.push(...wrong);
    if (wrong.length > 0 || found.length > 0) continue;
    providers[name] = {
      issuer: url,
      clientId,
      clientSecret: secret,
      ...(otherClientIds.length > 0 ? { otherClientIds } : {}),
      ...(redirectUri === '' ? {} : { redirectUri }),
      ...(skipNonceCheck ? { skipNonceCheck } : {}),
    };
  }
  return { providers, faults };
}
