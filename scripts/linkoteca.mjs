#!/usr/bin/env node
// `npx linkoteca`: the program as `npm pack` makes it. Whatever Node the machine has (20 or later) finds the one that came along.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { rootFolder } from './ensure-installed.mjs';
import { listCommands } from './list-commands.mjs';
import { runEntry } from './run-entry.mjs';

const NEEDED_MAJOR = 24;
/** Relative to the folder of whoever starts it, never to the one that npm installed. */
const FOLDER_SETTINGS = ['DATA_DIR', 'FUNCTIONS_DIR', 'WAL_ARCHIVE_DIR', 'BACKUP_TO'];
const WORDS = {
  keys: 'mostra o endereço e as chaves desta instalação, em JSON',
  programs: 'programs: os programas que agem pelas pessoas (--add NOME --redirect ENDEREÇO, --remove ID)',
  'signing-key': 'signing-key ARQUIVO: cria e troca as chaves que assinam os tokens (--rotate, --remove KID)',
  admin: 'admin E-MAIL: torna essa conta a administradora',
  links: 'seus links em qualquer Linkoteca: login, add, search, list, export, import, mcp, completion',
  demo: 'cria uma conta de demonstração com algumas centenas de links',
  backup: 'backup ARQUIVO: copia banco de dados, arquivos e segredos',
  restore: 'restore ARQUIVO: restaura uma cópia',
  recover: 'recover MOMENTO: o banco de dados como estava naquele momento',
  'upgrade-postgres': 'passa o banco de dados à versão nova do Postgres (--back: de volta)',
};

/** A person's own links: `npx linkoteca add URL` is `npx linkoteca links add URL`. */
const OF_LINKS = new Set(['login', 'add', 'search', 'list', 'export', 'import', 'mcp', 'completion']);

const manifest = JSON.parse(readFileSync(join(rootFolder, 'package.json'), 'utf8'));
const commands = listCommands(manifest);
const given = process.argv.slice(2);
const [name, ...args] = OF_LINKS.has(given[0]) ? ['links', ...given] : given;

try {
  if (name === '--version' || name === '-v') console.log(manifest.version);
  else if (name === '--help' || name === '-h') console.log(describe());
  else process.exitCode = await run();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function run() {
  const entry = name === undefined ? 'apps/server/src/main.ts' : commands.get(name);
  if (entry === undefined) throw new Error(`Não há o comando "${name}": veja npx linkoteca --help.`);
  process.env.DATA_DIR ||= 'data';
  for (const setting of FOLDER_SETTINGS) {
    const folder = process.env[setting] ?? '';
    if (folder !== '' && !folder.startsWith('s3:')) process.env[setting] = resolve(folder);
  }
  // As npm says where a command was typed.
  process.env.INIT_CWD = process.cwd();
  return runEntry(join('dist', entry.replace(/\.ts$/, '.js')), args, {
    keepAlive: name === undefined,
    runtime: findRuntime(),
    folder: process.cwd(),
  });
}

/** The runtime that npm has installed for this platform, else this one, where it is new enough. */
function findRuntime() {
  const { resolve: find } = createRequire(import.meta.url);
  const { platform, arch, versions, execPath } = process;
  for (const kind of ['node', 'node-bin']) {
    try {
      return find(`${kind}-${platform}-${arch}/bin/node`);
    } catch {
      // Not there for this platform, or not installed.
    }
  }
  if (Number.parseInt(versions.node, 10) >= NEEDED_MAJOR) return execPath;
  throw new Error(
    `A Linkoteca precisa do Node ${NEEDED_MAJOR} e encontrou o ${versions.node}: atualize-o, ou instale sem --omit=optional.`,
  );
}

function describe() {
  const width = Math.max(...[...commands.keys()].map(({ length }) => length));
  return [
    'Uso: npx linkoteca [COMANDO] [ARGUMENTOS …]',
    '',
    'Sem comando, abre a Linkoteca em http://localhost:3000 e guarda tudo em ./data (PORT e DATA_DIR mudam isso).',
    '',
    ...[...commands.keys()].map((known) => `  ${known.padEnd(width)}  ${WORDS[known] ?? ''}`.trimEnd()),
    '',
    'As configurações são variáveis de ambiente; o README traz a lista.',
  ].join('\n');
}
