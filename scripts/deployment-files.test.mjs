import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { rootFolder } from './ensure-installed.mjs';

const read = (path) => readFileSync(join(rootFolder, path), 'utf8');
const FILES = [
  'Containerfile',
  'docs/operations/linkoteca.service',
  'docs/operations/Caddyfile',
  'docs/operations/nginx.conf',
];
/** A file of 50 MiB in a form. */
const LARGEST_BODY_MB = 53;

/** Lines of `name value`, the comments left out. */
const listLines = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** nginx's own syntax: words up to `;` are a directive, up to `{` a block, which `}` ends. */
function parseNginx(text) {
  const tokens = text.replaceAll(/^\s*#.*$/gm, '').match(/'[^']*'|"[^"]*"|[{};]|[^\s{};]+/g) ?? [];
  const root = { words: [], children: [] };
  const open = [root];
  let words = [];
  for (const token of tokens) {
    const block = { words, children: [] };
    if (token === '}') {
      if (words.length > 0 || open.length === 1) throw new Error(`unexpected } after "${words.join(' ')}"`);
      open.pop();
    } else if (token === ';' || token === '{') {
      if (words.length === 0) throw new Error(`a ${token} without a directive`);
      open.at(-1).children.push(block);
      if (token === '{') open.push(block);
      words = [];
    } else words.push(token);
  }
  if (words.length > 0 || open.length > 1) throw new Error(`the file ends within "${words.join(' ')}"`);
  return root;
}

const listBlocks = (block) => [block, ...block.children.flatMap(listBlocks)];
const valuesOf = (block, name) =>
  block.children.filter(({ words }) => words[0] === name).map(({ words }) => words.slice(1).join(' '));

test('nginx tells the server what it saw, and nothing that a visitor wrote', () => {
  const blocks = listBlocks(parseNginx(read('docs/operations/nginx.conf')));
  const passing = blocks.filter((block) => valuesOf(block, 'proxy_pass').length > 0);
  expect(passing).toHaveLength(1);
  for (const location of passing) {
    expect(valuesOf(location, 'proxy_set_header').sort()).toEqual([
      'Connection $linkoteca_connection',
      'Forwarded ""',
      'Host $host',
      'Upgrade $http_upgrade',
      'X-Forwarded-For $remote_addr',
      'X-Forwarded-Host $host',
      'X-Forwarded-Proto $scheme',
      'X-Real-IP ""',
    ]);
    expect(valuesOf(location, 'proxy_http_version')).toEqual(['1.1']);
    expect(valuesOf(location, 'proxy_request_buffering')).toEqual(['off']);
    expect(valuesOf(location, 'proxy_cache')).toEqual(['off']);
  }
  const serving = blocks.find(({ children }) => passing.some((location) => children.includes(location)));
  expect(Number.parseInt(valuesOf(serving, 'client_max_body_size')[0], 10)).toBeGreaterThanOrEqual(
    LARGEST_BODY_MB,
  );
  expect(valuesOf(serving, 'listen').every((value) => value.includes('443 ssl'))).toBe(true);
});

test('nginx writes down no secret path, and of no address what follows the ?', () => {
  const blocks = listBlocks(parseNginx(read('docs/operations/nginx.conf')));
  const [format] = blocks.filter(({ words }) => words[0] === 'log_format');
  expect(format.words.join(' ')).toContain('$request_method $uri');
  const variables = format.words.join(' ').match(/\$\w+/g);
  const telling = ['$request', '$request_uri', '$args', '$query_string', '$http_referer', '$document_uri'];
  expect(variables.filter((name) => telling.includes(name) || name.startsWith('$arg_'))).toEqual([]);

  const served = blocks.filter((block) => valuesOf(block, 'server_name').length > 0);
  expect(served).toHaveLength(2);
  for (const server of served) {
    const logs = listBlocks(server).flatMap((block) => valuesOf(block, 'access_log'));
    expect(logs).toEqual([`/var/log/nginx/access.log ${format.words[1]} if=$linkoteca_logged`]);
    // Of a request that fails the error log has the whole first line.
    expect(valuesOf(server, 'error_log')).toEqual(['/var/log/nginx/error.log crit']);
  }

  const [logged] = blocks.filter(({ words }) => words.join(' ') === 'map $uri $linkoteca_logged');
  const isLogged = (uri) => {
    const rule = logged.children.find(
      ({ words: [key] }) => key[0] === '~' && new RegExp(key.slice(1)).test(uri),
    );
    return (rule?.words[1] ?? valuesOf(logged, 'default')[0]) === '1';
  };
  const secret = ['/feed/KEY/atom.xml', '/payment-emulator/checkout/ID', '/payment-emulator/invoices/ID/pdf'];
  expect(secret.filter(isLogged)).toEqual([]);
  const plain = ['/', '/feeds', '/shared/receitas-abc/feed/atom.xml', '/payment-emulator', '/rest/v1/links'];
  expect(plain.filter((uri) => !isLogged(uri))).toEqual([]);
});

test('Caddy keeps its own way of writing X-Forwarded-For, and lets files through', () => {
  const lines = listLines(read('docs/operations/Caddyfile'));
  const depth = lines.reduce((open, line) => open + Number(line.endsWith('{')) - Number(line === '}'), 0);
  expect(depth).toBe(0);
  expect(lines).toContain('reverse_proxy 127.0.0.1:3000 {');
  // With these it would pass on what somebody else claims.
  expect(lines.filter((line) => /trusted_proxies|header_up\s+[+>]?X-Forwarded/i.test(line))).toEqual([]);
  const body = lines.find((line) => line.startsWith('max_size '));
  expect(Number.parseInt(body.replace('max_size ', ''), 10)).toBeGreaterThanOrEqual(LARGEST_BODY_MB);
});

test('Caddy has no log of requests, and writes down neither addresses nor headers of those that fail', () => {
  const lines = listLines(read('docs/operations/Caddyfile'));
  for (const line of ['format filter {', 'request>uri delete', 'request>headers delete'])
    expect(lines).toContain(line);
  // One more in a site is a log of all its requests.
  expect(lines.filter((line) => /^log\b/.test(line))).toHaveLength(1);
  expect(lines.indexOf('log {')).toBeLessThan(lines.indexOf('links.exemplo.com, arquivos-exemplo.net {'));
});

test('the unit starts the package’s program without rights, and stops it before it is killed', () => {
  const unit = Object.groupBy(
    listLines(read('docs/operations/linkoteca.service')).filter((line) => !line.startsWith('[')),
    (line) => line.slice(0, line.indexOf('=')),
  );
  const setting = (name) => unit[name]?.map((line) => line.slice(name.length + 1));
  const [bin] = Object.keys(JSON.parse(read('package.json')).bin);
  expect(setting('ExecStart')).toEqual([`/opt/linkoteca/node_modules/.bin/${bin}`]);
  expect(setting('StateDirectory')).toEqual(['linkoteca']);
  expect(setting('CapabilityBoundingSet')).toEqual(['']);
  expect(setting('NoNewPrivileges')).toEqual(['yes']);
  expect(setting('ProtectSystem')).toEqual(['strict']);
  // The runtime compiles, and Postgres and functions talk over sockets in the file system.
  expect(setting('MemoryDenyWriteExecute')).toBeUndefined();
  expect(setting('RestrictAddressFamilies')[0]).toContain('AF_UNIX');
  expect(setting('KillMode')).toEqual(['mixed']);
  expect(Number(setting('TimeoutStopSec')[0])).toBeGreaterThan(30);
});

test('the unit has a line for folders on another disk, and the operations document says so wherever one is recommended', () => {
  const text = read('docs/operations/linkoteca.service');
  const [service] = text.slice(text.indexOf('[Service]')).split('[Install]');
  const [, reason = ''] = /^# (.*)\n#ReadWritePaths=\/\S+$/m.exec(service) ?? [];
  for (const name of ['BACKUP_TO', 'WAL_ARCHIVE_DIR']) expect(reason).toContain(name);
  const operations = read('docs/operations.md');
  const sections = operations.split(/^## /m);
  for (const title of ['Backups', 'Going back to a moment'])
    expect(sections.find((section) => section.startsWith(`${title}\n`))).toContain('`ReadWritePaths=`');
  expect(operations.split('\n').find((line) => line.includes('só de leitura'))).toContain(
    '`ReadWritePaths=`',
  );
});

test('the container file is one, and gives the program a user, a volume, a signal and a question', () => {
  const text = read('Containerfile');
  expect(validate(text).map(({ message }) => message)).toEqual([]);
  const last = text.slice(text.lastIndexOf('\nFROM '));
  for (const line of ['USER linkoteca', 'VOLUME /data', 'STOPSIGNAL SIGTERM', 'CMD ["linkoteca"]'])
    expect(last.split('\n')).toContain(line);
  expect(last).toContain('/health/ready');
  // A start may have to back everything up first; with Docker a check that succeeds ends the period at once, with podman it does not.
  expect(last).toMatch(/ --start-period=\d+h /);
  // Neither the sources nor npm nor what lies in the data folder of whoever builds it.
  expect(last.match(/^(?:COPY|ADD) .*$/gm)).toEqual(['COPY --from=build /opt/linkoteca /opt/linkoteca']);
  const left = listLines(read('.dockerignore'));
  for (const name of ['data', '.env*', '.git', '**/node_modules']) expect(left).toContain(name);
});

test('podman is told to build an image that keeps the health check', () => {
  // An image in the format of OCI, podman's own choice, has no place for it.
  const builds = ['Containerfile', 'docs/operations.md', 'README.md'].flatMap(
    (path) => read(path).match(/podman build [^`(\n]*/g) ?? [],
  );
  expect(builds.length).toBeGreaterThan(1);
  expect(builds.filter((build) => !build.includes('--format docker '))).toEqual([]);
});

test('every setting that the files name is one of the operations document', () => {
  const known = new Set(
    [...read('docs/operations.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  const named = FILES.flatMap((path) =>
    [...read(path).matchAll(/(?<![\w{$])([A-Z][A-Z0-9]*_[A-Z0-9_]+)=|\b(HOST|PORT)=/g)].map(
      ([, long, short]) => long ?? short,
    ),
  );
  expect(named).toContain('TRUST_PROXY');
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('in a package every folder that a setting names starts where the program was started', () => {
  const parsed = read('apps/server/src/kernel/parse-settings.ts');
  const folders = [...parsed.matchAll(/resolve\(projectFolder, raw\.([A-Z_]+)/g)].map(([, name]) => name);
  expect(folders).toContain('DATA_DIR');
  const known = /FOLDER_SETTINGS = \[([^\]]*)\]/.exec(read('scripts/linkoteca.mjs'))?.[1];
  expect(folders.filter((name) => !known.includes(`'${name}'`))).toEqual([]);
});
