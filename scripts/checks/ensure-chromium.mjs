import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Chromium without the windows that nobody sees here: a third less work for each page. Debian's package. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser for the browser tests: `CHROMIUM_PATH`, else the headless shell, which is installed where we may, else a whole
 * browser in one of the usual places.
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
  const failure = existsSync(HEADLESS_SHELL) ? '' : installPackage('chromium-headless-shell', say);
  const found = [HEADLESS_SHELL, ...USUAL_PLACES].find((path) => existsSync(path));
  if (found !== undefined) return found;
  const advice =
    'The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.';
  throw new Error(`${failure}\n${advice}`.trim());
}

/**
 * A browser with all its parts, for what the headless shell lacks: extensions. `WHOLE_CHROMIUM_PATH`, else one in the usual places, which
 * is installed where we may.
 * @param {{ say?: (line: string) => void }} [options] `say` gets one line before an installation starts.
 * @returns {string} the path of the program.
 * @throws {Error} one line that says what to install.
 */
export function ensureWholeChromium({ say = () => {} } = {}) {
  const wanted = process.env.WHOLE_CHROMIUM_PATH;
  if (wanted !== undefined && wanted !== '') {
    if (existsSync(wanted)) return wanted;
    throw new Error(`WHOLE_CHROMIUM_PATH names ${wanted}, which does not exist.`);
  }
  // Google's own builds load no extension from the command line any more.
  const places = USUAL_PLACES.filter(
    (path) => path.endsWith('/chromium') || path.endsWith('/chromium-browser'),
  );
  const find = () => places.find((path) => existsSync(path));
  const failure = find() === undefined ? installPackage('chromium', say) : '';
  const found = find();
  if (found !== undefined) return found;
  const advice =
    'The tests of the browser extension need Chromium (Debian: apt-get install chromium), or WHOLE_CHROMIUM_PATH.';
  throw new Error(`${failure}\n${advice}`.trim());
}

/** @returns why it could not be installed; empty where it was, or where that is not ours to do. */
function installPackage(name, say) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return '';
  say(`Installing ${name} (once) …`);
  const options = { stdio: 'pipe', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    execFileSync('apt-get', ['update'], options);
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options);
    return '';
  } catch (error) {
    return String(error.stderr ?? error).trim();
  }
}
