/** `npm run NAME` of the server's own commands: `exec node scripts/run.mjs apps/server/src/FILE.ts`. */
const COMMAND = /^exec node scripts\/run\.mjs (apps\/server\/src\/\S+\.ts)$/;

/**
 * The commands for operators, by the names that `npm run` knows them by.
 * @param {{ readonly scripts?: Readonly<Record<string, string>> }} manifest the root's `package.json`.
 * @returns {Map<string, string>} name to entry.
 */
export function listCommands({ scripts = {} }) {
  const found = Object.entries(scripts).map(([name, line]) => [name, COMMAND.exec(line)?.[1]]);
  return new Map(found.filter(([, entry]) => entry !== undefined));
}
