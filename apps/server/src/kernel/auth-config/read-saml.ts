import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readGoDuration } from '../go-duration.ts';
import type { SamlSettings } from '../settings.ts';
import { type Environment, given } from './read-key.ts';

const ENABLED = 'GOTRUE_SAML_ENABLED';
const KEY = 'GOTRUE_SAML_PRIVATE_KEY';
const LIFETIME = 'GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD';
/** As GoTrue: two minutes. Whoever types a password and a code at the other end takes longer. */
const DEFAULT_LIFETIME_SECONDS = 600;
const LEAST_BITS = 2048;

type ReadSaml = {
  /** Undefined: there is no sign-in by organisations. */
  readonly saml: SamlSettings | undefined;
  /** Each begins with the name of its variable, and repeats no value. */
  readonly faults: readonly string[];
};

/** What GoTrue's variables say of SAML 2.0; the platform's command line has no key for it. (Source: GoTrue, `SAMLConfiguration`.) */
export function readSaml(environment: Environment): ReadSaml {
  const enabled = given(environment, ENABLED) ?? 'false';
  if (enabled !== 'true' && enabled !== 'false')
    return { saml: undefined, faults: [`${ENABLED} deve ser true ou false`] };
  const key = given(environment, KEY);
  const lifetime = given(environment, LIFETIME);
  const seconds = lifetime === undefined ? DEFAULT_LIFETIME_SECONDS : (readGoDuration(lifetime) ?? 0) / 1000;
  const faults = [
    ...(seconds >= 60 && seconds <= 3600 ? [] : [`${LIFETIME} deve ser uma duração de 1m a 1h`]),
    ...(enabled === 'true' && key === undefined
      ? [`${KEY} não pode ser vazio onde ${ENABLED} está ligado`]
      : []),
    ...(key !== undefined && readKey(key) === undefined
      ? [`${KEY} deve ser uma chave RSA de ${LEAST_BITS} bits ou mais: PKCS#1 ou PKCS#8, em base64 ou PEM`]
      : []),
  ];
  const privateKey = key === undefined ? undefined : readKey(key);
  if (enabled === 'false' || faults.length > 0 || !privateKey) return { saml: undefined, faults };
  return { saml: { privateKey, relayStateLifetime: seconds }, faults };
}

function readKey(text: string): KeyObject | undefined {
  const forms = text.includes('-----BEGIN')
    ? [{ key: text.replaceAll('\\n', '\n'), format: 'pem' } as const]
    : (['pkcs1', 'pkcs8'] as const).map(
        (type) => ({ key: Buffer.from(text, 'base64'), format: 'der', type }) as const,
      );
  for (const form of forms)
    try {
      const key = createPrivateKey(form);
      const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
      if (key.asymmetricKeyType === 'rsa' && bits >= LEAST_BITS) return key;
    } catch {
      // Of another form.
    }
  return undefined;
}
