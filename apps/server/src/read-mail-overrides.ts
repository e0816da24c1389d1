import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, given, readPath, type Table, variableOf } from './kernel/auth-config/read-key.ts';
import { NOTICE_KINDS } from './kernel/auth-config/read-notices.ts';
import { GoTemplateError } from './kernel/go-template/lex-go-template.ts';
import type { ReadMailOverrides } from './kernel/parse-settings.ts';
import type { MailOverride } from './kernel/settings.ts';
import { HOSTED_MAILS } from './services/auth/hosted-mail-templates.ts';
import { readMailOverride, readNoticeOverride } from './services/auth/mail-overrides.ts';

type Written = { readonly subject: string | undefined; readonly content: string | undefined };
type Place = {
  /** As GoTrue's variables and our settings have it. */
  readonly name: string;
  readonly place: string;
  readonly parse: (written: Written) => MailOverride | undefined;
};

const PLACES: readonly Place[] = [
  ...HOSTED_MAILS.map((name) => ({
    name,
    place: `auth.email.template.${name}`,
    parse: (written: Written) => readMailOverride(name, written),
  })),
  ...NOTICE_KINDS.map((kind) => ({
    name: `${kind}_notification`,
    place: `auth.email.notification.${kind}`,
    parse: readNoticeOverride,
  })),
];

/**
 * What an operator wrote in place of our mails: `[auth.email.template.*]` and `[auth.email.notification.*]` of the file, over it GoTrue's variables, over both
 * those of the platform's command line.
 * @param folder of the project: files of templates are named from there, as for the command line
 */
export function readMailOverrides(file: Table, environment: Environment, folder: string): ReadMailOverrides {
  const overrides: Record<string, MailOverride> = {};
  const faults: string[] = [];
  const read = ({ name, place, parse }: Place) => {
    const key = `${place}.content_path`;
    const variable = `GOTRUE_MAILER_TEMPLATES_${name.toUpperCase()}`;
    const address = given(environment, variable);
    const ofCommandLine = given(environment, variableOf(key));
    // GoTrue's variable is over the file.
    const isElsewhere = address !== undefined && ofCommandLine === undefined;
    const path = isElsewhere ? undefined : (ofCommandLine ?? readPath(file, key, environment));
    if (address !== undefined && !ADDRESS.test(address))
      faults.push(`${variable} deve ser um endereço http:// ou https://, ou um caminho`);
    const gotrue = `GOTRUE_MAILER_SUBJECTS_${name.toUpperCase()}`;
    const written = {
      subject: findText(file, environment, `${place}.subject`, gotrue),
      content: path === undefined ? undefined : readContent(resolve(folder, path)),
    };
    if (path !== undefined && written.content === undefined) faults.push(`${key} não pôde ser lido`);
    try {
      const override = parse(written);
      if (override || isElsewhere)
        overrides[name] = { ...override, ...(isElsewhere ? { contentAddress: address } : {}) };
    } catch (error) {
      if (!(error instanceof GoTemplateError)) throw error;
      faults.push(`${place}: ${error.message}`);
    }
  };
  for (const place of PLACES) read(place);
  return { overrides, faults };
}

/** As GoTrue has them: a path is one of `SITE_URL`. */
const ADDRESS = /^(?:https?:\/\/[^\s/]|\/(?!\/))\S*$/;

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
