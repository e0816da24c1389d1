import * as v from 'valibot';
import { outsideUrl, required } from './setting-schema.ts';
import type { Settings } from './settings.ts';

/** What the settings of a provider to sign in with follow from: its name, and its public address. */
export type SignInProviderNames = {
  readonly name: string;
  readonly issuer: string;
  /** Whether it has no variables of this server's own. */
  readonly hasPlatformNamesOnly?: boolean;
};

/** The settings of `acme`: `ACME_CLIENT_ID` and `ACME_CLIENT_SECRET`, both or neither, and `ACME_ISSUER`. */
function nameSettings({ name }: SignInProviderNames) {
  const prefix = name.toUpperCase();
  return {
    clientId: `${prefix}_CLIENT_ID`,
    clientSecret: `${prefix}_CLIENT_SECRET`,
    issuer: `${prefix}_ISSUER`,
  };
}

/** How the texts of the providers' settings are checked, by the name of their environment variable. */
export function signInSettingSchema(providers: readonly SignInProviderNames[]) {
  const entries: Record<string, v.GenericSchema<unknown, string | undefined>> = {};
  for (const provider of listOwn(providers)) {
    const names = nameSettings(provider);
    entries[names.clientId] = v.optional(required);
    entries[names.clientSecret] = v.optional(required);
    entries[names.issuer] = v.optional(outsideUrl, provider.issuer);
  }
  return v.object(entries);
}

function listOwn(providers: readonly SignInProviderNames[]): readonly SignInProviderNames[] {
  return providers.filter(({ hasPlatformNamesOnly }) => !hasPlatformNamesOnly);
}

/** Names of the providers that this server's own variables say something of. */
export function listSetByVariables(
  providers: readonly SignInProviderNames[],
  given: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return listOwn(providers)
    .filter((provider) => given[nameSettings(provider).clientId] !== undefined)
    .map(({ name }) => name);
}

/** Settings that mean something only together. */
export function listSignInGroups(providers: readonly SignInProviderNames[]): readonly (readonly string[])[] {
  return listOwn(providers).map((provider) => {
    const { clientId, clientSecret } = nameSettings(provider);
    return [clientId, clientSecret];
  });
}

/**
 * @param raw checked: a group is whole or absent.
 * @param external what the platform's settings say, of those that are not there.
 */
export function arrangeSignInSettings(
  providers: readonly SignInProviderNames[],
  raw: Readonly<Record<string, string | undefined>>,
  external: Settings['signInProviders'] = {},
): Settings['signInProviders'] {
  return Object.fromEntries(
    providers.map((provider) => {
      const names = nameSettings(provider);
      const [clientId, clientSecret] = [raw[names.clientId], raw[names.clientSecret]];
      const issuer = raw[names.issuer] ?? provider.issuer;
      const isGiven = clientId !== undefined && clientSecret !== undefined;
      return [provider.name, isGiven ? { issuer, clientId, clientSecret } : external[provider.name]];
    }),
  );
}
