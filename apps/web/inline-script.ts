import { build, type Plugin } from 'vite';

const SUFFIX = '?script';

/** Lets `import code from './file.ts?script'` give the bundled, minified script as text, to be written into a page. */
export function inlineScript(): Plugin {
  return {
    name: 'linkoteca:inline-script',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(SUFFIX)) return null;
      const found = await this.resolve(source.slice(0, -SUFFIX.length), importer);
      return found === null ? null : `\0${found.id}${SUFFIX}`;
    },
    async load(id) {
      if (!id.startsWith('\0') || !id.endsWith(SUFFIX)) return null;
      const code = await bundle(id.slice(1, -SUFFIX.length));
      if (/<\/script|<!--/i.test(code)) this.error(`${id} would end the element it is written into`);
      return `export default ${JSON.stringify(code.trim())};`;
    },
  };
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: true,
      target: ['chrome123', 'firefox128', 'safari17.5'],
      modulePreload: false,
      rolldownOptions: { input: entry, output: { format: 'iife' } },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunk = outputs
    .flatMap((made) => ('output' in made ? made.output : []))
    .find((output) => output.type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error(`${entry} gave no script`);
  return chunk.code;
}
