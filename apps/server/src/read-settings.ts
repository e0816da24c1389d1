import { parseSettings } from './kernel/parse-settings.ts';
import type { Settings } from './kernel/settings.ts';
import { PROJECT_FOLDER } from './project-folders.ts';
import { PROVIDERS } from './services/auth/providers/providers.ts';

/**
 * Every setting of this installation, those of the providers to sign in with included.
 * @throws SettingsError
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  projectFolder: string = PROJECT_FOLDER,
): Settings {
  return parseSettings(environment, projectFolder, PROVIDERS);
}
