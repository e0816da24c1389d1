import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** An icon's own module; those of old names only lead to it. */
const ICON = /\/lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/;
const LINES = /\n {2}node: (\[.*\]|\[\n[\s\S]*?\n {2}\]),?\n/;
const KEY = /,? key: "[^"]*"/g;

const drawing = fileURLToPath(new URL('src/shared/ui/draw-icon.ts', import.meta.url));

/** @returns an icon's lines as they stand in the library's module, without the keys that only a list with changes needs; null of an old name. */
export function takeIconLines(code: string): string | null {
  return LINES.exec(code)?.[1]?.replaceAll(KEY, '') ?? null;
}

/**
 * Leaves of the library's icons what is seen of them. Each also has keys, a class and former names, which compress badly, and the
 * library's own drawing knows units, contexts and frameworks that nothing here asks for: together 2 kB of the dashboard's first download.
 * @throws when the library writes an icon differently: the plugin would silently do nothing.
 */
export function slimIcons(): Plugin {
  return {
    name: 'linkoteca:slim-icons',
    apply: 'build',
    transform: {
      filter: { id: ICON },
      handler(code, id) {
        const lines = takeIconLines(code);
        if (lines !== null)
          return {
            code: `import draw from ${JSON.stringify(drawing)};\nexport default /* @__PURE__ */ draw(${lines});`,
            map: null,
          };
        if (code.includes('createLucideIcon')) this.error(`${id} is written in another way: look at LINES`);
        return null;
      },
    },
  };
}
