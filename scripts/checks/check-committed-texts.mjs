// Nothing committed may hold a secret, or a path that exists on one machine only.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** Written in pieces, so that this file does not find itself. */
const FORBIDDEN = [
  {
    what: 'a path of one machine',
    pattern: new RegExp(`(?<![\\w.-])/(?:${'work'}/(?:main|shared)|${'home'}/\\w+/|${'Users'}/\\w+/)`),
  },
  { what: 'a private key', pattern: new RegExp(`-----BEGIN [A-Z ]*${'PRIVATE'} KEY-----`) },
  { what: 'a payment key', pattern: new RegExp(`\\b(?:sk|rk)_${'live'}_[A-Za-z0-9]{8,}`) },
  { what: 'a platform key', pattern: new RegExp(`\\bsb_${'secret'}_[A-Za-z0-9_-]{16,}`) },
  {
    what: 'a repository token',
    pattern: new RegExp(`\\b(?:ghp|gho|ghs|npm)_[A-Za-z0-9]{30,}|\\b${'github'}_pat_\\w{20,}`),
  },
  { what: 'a cloud key', pattern: new RegExp(`\\b${'AKIA'}[A-Z0-9]{16}\\b`) },
];
const MAXIMUM_BYTES = 2_000_000;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && isReadableSize(path));

function isReadableSize(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= MAXIMUM_BYTES;
}

const faults = files.flatMap((path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      FORBIDDEN.filter(({ pattern }) => pattern.test(line)).map(
        ({ what }) => `${path}:${index + 1} holds ${what}`,
      ),
    ),
);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
