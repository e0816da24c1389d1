import type { SignInProviderSettings } from '../../../kernel/settings.ts';
import { apple } from './apple.ts';
import { azure } from './azure.ts';
import { discord } from './discord.ts';
import { facebook } from './facebook.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { keycloak } from './keycloak.ts';
import type { Provider, ProviderDefinition } from './provider.ts';

/**
 * Every provider that people can sign in with. Settings, `/settings`, `/authorize`, ID tokens and `/config.json` read it;
 * docs/changing.md tells how to add one.
 */
export const PROVIDERS: readonly ProviderDefinition[] = [
  google,
  apple,
  azure,
  github,
  facebook,
  discord,
  keycloak,
];

/** The table as it is in this installation. */
export type Providers = {
  /** Every provider, and whether the installation offers it. */
  readonly offered: Readonly<Record<string, boolean>>;
  /** Whether it offers any. */
  readonly isAnyOffered: boolean;
  /** Those that it offers. */
  readonly open: readonly Provider[];
  /** Undefined when it is not offered. */
  find(by: ProviderKey): Provider | undefined;
  /** The public address of a provider of the table, offered or not; undefined: the table has none such. */
  issuerOf(by: ProviderKey): string | undefined;
};

/** How clients name a provider. */
export type ProviderKey = { readonly name: string } | { readonly issuer: string };

/** @param settings of the providers, by name; a provider without settings is not offered. */
export function openProviders(
  table: readonly ProviderDefinition[],
  settings: Readonly<Record<string, SignInProviderSettings | undefined>>,
  now: () => Date,
): Providers {
  const open = table.flatMap((definition) => {
    const own = settings[definition.name];
    return own ? [definition.open(own, now)] : [];
  });
  const isNamed = (by: ProviderKey) => (provider: { readonly name: string; readonly issuer: string }) =>
    'name' in by ? provider.name === by.name : provider.issuer === by.issuer;
  const find: Providers['find'] = (by) => open.find(isNamed(by));
  return {
    offered: Object.fromEntries(table.map(({ name }) => [name, find({ name }) !== undefined])),
    isAnyOffered: open.length > 0,
    open,
    find,
    issuerOf: (by) => table.find(isNamed(by))?.issuer,
  };
}
