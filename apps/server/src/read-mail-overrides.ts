import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, given, readPath, type Table, variableOf } from './kernel/auth-config/read-key.ts';
import { GoTemplateError } from './kernel/go-template/lex-go-template.ts';
import type { ReadMailOverrides } from './kernel/parse-settings.ts';
import type { MailOverride } from './kernel/settings.ts';
import { HOSTED_MAILS, type HostedMail } from './services/auth/hosted-mail-templates.ts';
import { readMailOverride } from './services/auth/mail-overrides.ts';

/**
 * What an operator wrote in place of our mails: `[auth.email.template.*]` of the file, over it GoTrue's variables for subjects, over both
 * those of the platform's command line.
 * @param folder of the project: files of templates are named from there, as for the command line
 */
export function readMailOverrides(file: Table, environment: Environment, folder: string): ReadMailOverrides {
  const overrides: Record<string, MailOverride> = {};
  const faults: string[] = [];
  for (const name of HOSTED_MAILS) {
    const place = `auth.email.template.${name}`;
    const key = `${place}.content_path`;
    const path = findText(file, environment, key);
    const written = {
      subject: findText(
        file,
        environment,
        `${place}.subject`,
        `GOTRUE_MAILER_SUBJECTS_${name.toUpperCase()}`,
      ),
      content: path === undefined ? undefined : readContent(resolve(folder, path)),
    };
    if (path !== undefined && written.content === undefined) faults.push(`${key} não pôde ser lido`);
    try {
      const override = readMailOverride(name satisfies HostedMail, written);
      if (override) overrides[name] = override;
    } catch (error) {
      if (!(error instanceof GoTemplateError)) throw error;
      faults.push(`${place}: ${error.message}`);
    }
  }
  return { overrides, faults };
}

function findText(file: Table, environment: Environment, path: string, gotrue?: string): string | undefined {
  const ofGotrue = gotrue === undefined ? undefined : given(environment, gotrue);
  return given(environment, variableOf(path)) ?? ofGotrue ?? readPath(file, path, environment);
}

function readContent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
