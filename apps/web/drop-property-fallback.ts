import type { Plugin } from 'vite';

/** Tailwind's stand-in for `@property`, one rule in a layer of its own. */
const FALLBACK = /@layer properties\{@supports[^{]*\{[^{}]*\{[^{}]*\}\}\}/;

/**
 * Leaves out of the style sheet what only browsers without `@property` read: the build's targets all have it, and the first
 * download is counted in hundreds of bytes.
 * @throws when Tailwind writes it differently: the plugin would silently do nothing.
 */
export function dropPropertyFallback(): Plugin {
  return {
    name: 'linkoteca:drop-property-fallback',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const sheets = Object.values(bundle).flatMap((file) =>
          file.type === 'asset' && file.fileName.endsWith('.css') ? [file] : [],
        );
        const before = sheets.map(({ source }) => String(source));
        if (!before.some((css) => FALLBACK.test(css)))
          this.error('the style sheet has no @property fallback any more: remove this plugin');
        for (const [place, sheet] of sheets.entries())
          sheet.source = before[place]?.replace(FALLBACK, '') ?? '';
      },
    },
  };
}
