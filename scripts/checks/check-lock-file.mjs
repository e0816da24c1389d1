// A lock file that names a registry host ties every clone to one machine's network.
import { readFileSync } from 'node:fs';

const lines = readFileSync('package-lock.json', 'utf8').split('\n');
const faults = lines.flatMap((line, index) =>
  /"resolved":\s*"(https?|git\+|ssh):/.test(line) ? [`package-lock.json:${index + 1} ${line.trim()}`] : [],
);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  console.error('Remove the "resolved" addresses: .npmrc sets omit-lockfile-registry-resolved.');
  process.exitCode = 1;
}
