// Mozilla's own linter over the extension's Firefox package as it is built: what their store would refuse, found before an upload.
import { join } from 'node:path';
import linter from 'addons-linter';
import { rootFolder } from '../ensure-installed.mjs';
import { listFirefoxFaults } from './firefox-warnings.mjs';

const folder = join(rootFolder, 'apps/extension/dist/firefox');
const findings = await linter
  .createInstance({ config: { _: [folder], logLevel: 'silent', output: 'none' }, runAsBinary: false })
  .run();
const faults = listFirefoxFaults(findings);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
