import { type Environment, given, readPath, type Table, variableOf } from './read-key.ts';

const PROVIDERS = ['hcaptcha', 'turnstile'];
const SECRET = 'auth.captcha.secret';

type ReadCaptcha = {
  /** As texts of the settings of the same meaning. */
  readonly settings: { readonly CAPTCHA_PROVIDER?: string; readonly CAPTCHA_SECRET?: string };
  readonly faults: readonly string[];
};

/**
 * `[auth.captcha]`, GoTrue's variables over the file and those of the platform's command line over both. Our own variables are stronger, and
 * `CAPTCHA_SITE_KEY`, for which the platform has no key, stays theirs: without it no form of ours could be sent.
 */
export function readCaptcha(file: Table, environment: Environment): ReadCaptcha {
  const place = 'auth.captcha';
  const read = (key: string) => {
    const path = `${place}.${key}`;
    const ofGotrue = given(environment, `GOTRUE_SECURITY_CAPTCHA_${key.toUpperCase()}`);
    return given(environment, variableOf(path)) ?? ofGotrue ?? readPath(file, path, environment) ?? '';
  };
  const enabled = read('enabled') || 'false';
  if (enabled !== 'true' && enabled !== 'false')
    return { settings: {}, faults: [`${place}.enabled deve ser true ou false`] };
  if (enabled === 'false') return { settings: {}, faults: [] };
  const [provider, secret] = [read('provider'), read('secret')];
  const isSaid = (name: string) => given(environment, name) !== undefined;
  return {
    settings: {
      ...(provider === '' ? {} : { CAPTCHA_PROVIDER: provider }),
      ...(secret === '' ? {} : { CAPTCHA_SECRET: secret }),
    },
    faults: [
      ...(PROVIDERS.includes(provider) || (provider === '' && isSaid('CAPTCHA_PROVIDER'))
        ? []
        : [`${place}.provider deve ser ${PROVIDERS.join(' ou ')}`]),
      ...(secret !== '' || isSaid('CAPTCHA_SECRET') ? [] : [`${SECRET} não pode ser vazio`]),
    ],
  };
}
