import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser for the browser tests: `CHROMIUM_PATH`, else one of the usual places, else Debian's package when we
 * may install it.
 * @param {{ say?: (line: string) => void }} [options] `say` gets one line before an installation starts.
 * @returns {string} the path of the program.
 * @throws {Error} one line that says what to install.
 */
export function ensureChromium({ say = () => {} } = {}) {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted !== undefined && wanted !== '') {
    if (existsSync(wanted)) return wanted;
    throw new Error(`CHROMIUM_PATH names ${wanted}, which does not exist.`);
  }
  const found = USUAL_PLACES.find((path) => existsSync(path));
  if (found !== undefined) return found;
  const advice =
    'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(advice);
  say('Installing Chromium (once) …');
  try {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update'], { stdio: 'pipe', env: environment });
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
      stdio: 'pipe',
      env: environment,
    });
  } catch (error) {
    throw new Error(`${String(error.stderr ?? error).trim()}\n${advice}`);
  }
  if (!existsSync(USUAL_PLACES[0])) throw new Error(advice);
  return USUAL_PLACES[0];
}
