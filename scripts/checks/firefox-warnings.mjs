/**
 * What Firefox's linter warns of and is right as it is: each with its reason, and as many times as it is known. One more is a fault, and so
 * is one that is gone: it would let the next one through.
 */
const KNOWN = [
  {
    message: 'sidePanel.open is not supported',
    times: 1,
    // Chromium's; in Firefox `openPanel` opens the sidebar, before it comes to this.
  },
  {
    message: 'Unsafe assignment to innerHTML',
    times: 2,
    // React's own `dangerouslySetInnerHTML` and its making of a script element; nothing here uses either.
  },
];

/**
 * What must be put right before the package is Firefox's.
 * @param {{ errors: Finding[], warnings: Finding[], notices: Finding[] }} findings of `addons-linter`.
 * @typedef {{ message: string, file?: string, line?: number }} Finding
 * @returns {string[]} a line each; none where all is well.
 */
export function listFirefoxFaults({ errors, warnings, notices }) {
  const name = ({ message, file = 'manifest.json', line = 1 }) => `${file}:${line} ${message}`;
  const unknown = warnings.filter(({ message }) => !KNOWN.some((known) => known.message === message));
  const miscounted = KNOWN.flatMap(({ message, times }) => {
    const found = warnings.filter((warning) => warning.message === message);
    return found.length === times
      ? []
      : [`${times} times known, ${found.length} times found: ${message}`, ...found.map(name)];
  });
  return [...[...errors, ...notices, ...unknown].map(name), ...miscounted];
}
