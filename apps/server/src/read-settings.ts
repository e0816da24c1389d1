import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { parseSettings, SettingsError } from './kernel/parse-settings.ts';
import type { Settings } from './kernel/settings.ts';
import { PROJECT_FOLDER } from './project-folders.ts';
import { readMailOverrides } from './read-mail-overrides.ts';
import { readSigningKeys } from './read-signing-keys.ts';
import { PROVIDERS } from './services/auth/providers/providers.ts';
import { readToml } from './services/functions/catalogue/open-catalogue.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Every setting of this installation: its variables, those of the providers to sign in with included, over what `config.toml` beside
 * the functions says of sign-in.
 * @throws SettingsError
 */
export function readSettings(environment: Environment, projectFolder: string = PROJECT_FOLDER): Settings {
  const functions = resolve(projectFolder, environment['FUNCTIONS_DIR']?.trim() || 'supabase/functions');
  const folder = dirname(functions);
  const file = readConfig(folder);
  const mails = readMailOverrides(file, environment, dirname(folder));
  const signingKeys = readSigningKeys(file, environment, folder);
  return parseSettings(environment, projectFolder, PROVIDERS, file, mails, signingKeys);
}

function readConfig(folder: string): Record<string, unknown> {
  try {
    return readToml(join(folder, 'config.toml'), v.looseObject({}));
  } catch (cause) {
    throw new SettingsError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
