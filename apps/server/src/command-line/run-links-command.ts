import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { formatCount } from '@linkoteca/domain/formats';
import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { readTagNames, TAG_LIMITS } from '@linkoteca/domain/tags';
import type * as v from 'valibot';
import type * as resources from '../services/api/resources.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { type FileLink, readBookmarkFile, writeBookmarkFile } from './bookmark-file.ts';
import type { BridgeStreams } from './bridge-assistant.ts';
import { CommandError } from './command-error.ts';
import { SHELLS, writeCompletion } from './completion.ts';
import { readCredentials, readInstallation, saveCredentials } from './credentials.ts';
import { printableJson, printableText } from './printable-text.ts';

type Link = v.InferOutput<typeof resources.link>;
type Category = v.InferOutput<typeof resources.category>;
type Folder = v.InferOutput<typeof resources.folder>;
type Me = v.InferOutput<typeof resources.me>;

export type Surroundings = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes one line. */
  readonly print: (line: string) => void;
  /** Asks for a token without showing what is typed. */
  readonly askToken: () => Promise<string>;
  /** Where an assistant's program speaks. */
  readonly streams: BridgeStreams;
};

/** Each command and what it does. */
const HELP: readonly (readonly [command: string, meaning: string])[] = [
  ['login URL', 'guarda um token seu (perfil, aba Programas)'],
  ['add URL [--title T] [--category ID] [--tag T]', 'salva um link'],
  ['search …', 'como no campo de busca'],
  ['list [--category ID]', 'os mais novos primeiro'],
  ['export [FILE]', 'favoritos como navegadores os leem'],
  ['import FILE [--category ID]', 'favoritos, ou um endereço por linha'],
  ['mcp', 'para assistentes que falam pela entrada padrão'],
  [`completion ${SHELLS.join('|')}`, 'script que completa os comandos no seu terminal'],
  ['--json, --limit N', 'para todos'],
];

const USAGE = ['Uso:', ...HELP.map(([command, meaning]) => `  ${command.padEnd(48)}${meaning}`)].join('\n');

const OPTIONS = {
  json: { type: 'boolean', default: false },
  title: { type: 'string' },
  category: { type: 'string' },
  tag: { type: 'string', multiple: true, default: [] as string[] },
  limit: { type: 'string', default: '50' },
} as const;

type Values = {
  readonly json: boolean;
  readonly title?: string | undefined;
  readonly category?: string | undefined;
  readonly tag: readonly string[];
  readonly limit: string;
};

type Command = (
  args: readonly string[],
  values: Values,
  { api, print }: { readonly api: ApiClient; readonly print: Surroundings['print'] },
) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = {
  add: addLink,
  search: (words, values, { api, print }) => {
    if (words.length === 0) throw new CommandError('Diga o que buscar.');
    return printLinks(api.list('/search', { q: words.join(' ') }), values, print);
  },
  list: (_args, values, { api, print }) =>
    printLinks(api.list('/links', { category_id: values.category }), values, print),
  export: exportLinks,
  import: importLinks,
};

/**
 * The commands for a person's own links, over `/api/v1`.
 * @throws CommandError
 */
export async function runLinksCommand(argv: readonly string[], surroundings: Surroundings): Promise<void> {
  const { values, positionals } = readArguments(argv);
  const [name = '', ...args] = positionals;
  if (name === 'login') return login(args, surroundings);
  if (name === 'mcp') {
    // Its protocol is loaded for nobody else.
    const { bridgeAssistant } = await import('./bridge-assistant.ts');
    return bridgeAssistant(await readCredentials(surroundings.environment), surroundings.streams);
  }
  if (name === 'completion') return printCompletion(args, surroundings);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new CommandError(USAGE);
  const { environment, print } = surroundings;
  const api = createApiClient(await readCredentials(environment));
  await command(args, values, { api, print });
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch {
    throw new CommandError(USAGE);
  }
}

function printCompletion([wanted]: readonly string[], { print }: Surroundings): void {
  const shell = SHELLS.find((known) => known === wanted);
  if (shell === undefined) throw new CommandError(`Diga o seu terminal: ${SHELLS.join(', ')}.`);
  // The first word of each line of the help.
  const commands = HELP.map(([command]) => command.split(' ')[0] ?? '').filter((word) =>
    /^[a-z]+$/.test(word),
  );
  print(writeCompletion(shell, { commands, options: Object.keys(OPTIONS) }));
}

async function login([address]: readonly string[], { environment, askToken, print }: Surroundings) {
  if (address === undefined) throw new CommandError('Diga o endereço da sua Linkoteca.');
  const url = readInstallation(address);
  const token = (environment['LINKOTECA_TOKEN'] || (await askToken())).trim();
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CommandError('Isso não é um token.');
  const { access, counts } = await createApiClient({ url, token }).get<Me>('/me');
  const path = await saveCredentials(environment, { url, token });
  print(
    `${formatCount(counts.links, 'link', 'links')}; ${access.write ? 'leitura e escrita' : 'só leitura'}. O token está em ${path}.`,
  );
}

async function addLink(
  [url]: readonly string[],
  { title, category, tag, json }: Values,
  { api, print }: Parameters<Command>[2],
) {
  if (url === undefined) throw new CommandError('Diga o endereço a salvar.');
  const content = { url, title, category_id: category, ...(tag.length > 0 ? { tags: tag } : {}) };
  const link = await api.post<Link>('/links', content, randomUUID());
  print(json ? printableJson(link) : describeLink(link));
}

async function printLinks(
  links: AsyncGenerator<Link>,
  { json, limit }: Values,
  print: Surroundings['print'],
): Promise<void> {
  let left = readLimit(limit);
  for await (const link of links) {
    print(json ? printableJson(link) : describeLink(link));
    left -= 1;
    if (left === 0) return;
  }
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new CommandError('--limit: um número a partir de 1.');
  return Number(text);
}

function describeLink({ title, url, tags }: Link): string {
  const named = tags.length === 0 ? '' : `  ${tags.map((tag) => `#${tag}`).join(' ')}`;
  return printableText(`${title}  ${url}${named}`);
}

async function exportLinks(
  [file]: readonly string[],
  { json }: Values,
  { api, print }: Parameters<Command>[2],
): Promise<void> {
  const [folders, categories, links] = await Promise.all([
    readAll(api.list<Folder>('/folders', { limit: '100' })),
    readAll(api.list<Category>('/categories', { limit: '100' })),
    readAll(api.list<Link>('/links', { limit: '100' })),
  ]);
  const inCategory = Map.groupBy(links, ({ category_id }) => category_id);
  const places = folders.flatMap(({ id, name: folder }) =>
    categories
      .filter(({ folder_id }) => folder_id === id)
      .map((one) => ({ folder, category: one.name, links: inCategory.get(one.id) ?? [] })),
  );
  const text = json ? printableJson(places) : writeBookmarkFile(places);
  if (file === undefined) return print(text.trimEnd());
  await writeFile(file, text).catch((error: Error) => {
    throw new CommandError(error.message);
  });
  print(`${formatCount(links.length, 'link', 'links')} em ${file}.`);
}

async function readAll<T>(items: AsyncGenerator<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function importLinks(
  [file]: readonly string[],
  { category, json }: Values,
  { api, print }: Parameters<Command>[2],
): Promise<void> {
  if (file === undefined) throw new CommandError('Diga o arquivo.');
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(error.message);
  });
  const counts = { saved: 0, already_saved: 0, refused: 0 };
  for (const link of readBookmarkFile(text)) {
    const known = await api.get<{ data: readonly Link[] }>('/links', { url: link.url });
    if (known.data.length > 0) counts.already_saved += 1;
    else counts[await importOne(api, toContent(link, category))] += 1;
  }
  print(
    json
      ? printableJson(counts)
      : `${[
          formatCount(counts.saved, 'link salvo', 'links salvos'),
          formatCount(counts.already_saved, 'já estava salvo', 'já estavam salvos'),
          formatCount(counts.refused, 'recusado', 'recusados'),
        ].join(', ')}.`,
  );
}

/** One that cannot be saved does not keep the others from it. @throws CommandError where no other could be saved either */
async function importOne(api: ApiClient, content: object): Promise<'saved' | 'refused'> {
  try {
    await api.post('/links', content, randomUUID());
    return 'saved';
  } catch (error) {
    if (error instanceof CommandError && error.status === 422) return 'refused';
    throw error;
  }
}

/** What a file says of a link, cut to what a link holds. */
function toContent({ url, title, tags }: FileLink, category: string | undefined): object {
  return {
    url,
    title: shortenText(title.trim(), FIELD_LIMITS.linkTitle),
    tags: readTagNames(tags).slice(0, TAG_LIMITS.link),
    ...(category === undefined ? {} : { category_id: category }),
  };
}
