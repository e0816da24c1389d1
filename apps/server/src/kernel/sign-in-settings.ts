import * as v from 'valibot';
import { outsideUrl, required } from './setting-schema.ts';
import type { Settings } from './settings.ts';

/** What the settings of a provider to sign in with follow from: its name, and its public address. */
export type SignInProviderNames = { readonly name: string; readonly issuer: string };

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
  for (const provider of providers) {
    const names = nameSettings(provider);
    entries[names.clientId] = v.optional(required);
    entries[names.clientSecret] = v.optional(required);
    entries[names.issuer] = v.optional(outsideUrl, provider.issuer);
  }
  return v.object(entries);
}

/** Settings that mean something only together. */
export function listSignInGroups(providers: readonly SignInProviderNames[]): readonly (readonly string[])[] {
  return providers.map((provider) => {
    const { clientId, clientSecret } = nameSettings(provider);
    return [clientId, clientSecret];
  });
}

/** @param raw checked: a group is whole or absent. */
export function arrangeSignInSettings(
  providers: readonly SignInProviderNames[],
  raw: Readonly<Record<string, string | undefined>>,
): Settings['signInProviders'] {
  return Object.fromEntries(
    providers.map((provider) => {
      const names = nameSettings(provider);
      const [clientId, clientSecret] = [raw[names.clientId], raw[names.clientSecret]];
      const issuer = raw[names.issuer] ?? provider.issuer;
      const isGiven = clientId !== undefined && clientSecret !== undefined;
      return [provider.name, isGiven ? { issuer, clientId, clientSecret } : undefined];
    }),
  );
}
