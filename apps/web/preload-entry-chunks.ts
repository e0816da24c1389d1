import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite';

/** What a person with a saved sign-in needs first, whatever page they open. */
const SHELL = 'app/shell/guarded-shell.tsx';
/** And what the page itself needs, by the beginning of its path. */
const PAGES = {
  '/dashboard': 'app/pages/dashboard-route.tsx',
  '/category/': 'app/pages/category-route.tsx',
} as const;
const LOGIN = 'features/auth/components/login-screen.tsx';

const ENTRY = /<script type="module"[^>]*><\/script>/;

/**
 * Starts the app, whose script lies in a template until then: at once, or when the first picture has what it waits for
 * (show-first-picture.ts), which the app's start would hold up on a slow processor.
 */
const START: HtmlTagDescriptor = {
  tag: 'script',
  children: `(()=>{const{content:c}=document.querySelector('template[data-app]'),start=()=>document.head.append(c);
document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',crossOrigin:'',href:c.firstChild.getAttribute('src')}));
const p=globalThis[Symbol.for('linkoteca.picture')];p?p.then(start,start):start()})()`,
  injectTo: 'body',
};

/**
 * Tells the browser two things that it finds out late by itself. Nearly every function of the first picture's code runs
 * at once: compile it while it is downloaded, beside the main thread (https://v8.dev/blog/explicit-compile-hints). And
 * somebody whose sign-in is saved will need the organiser: fetch its code together with the page's first script, not when
 * that script has been run and a screen was drawn.
 */
export function preloadEntryChunks(): Plugin {
  return {
    name: 'linkoteca:preload-entry-chunks',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = chunksOf(bundle);
        const entries = chunks.filter(({ isEntry }) => isEntry);
        const pages = [LOGIN, SHELL, ...Object.values(PAGES)].map((page) => find(chunks, page));
        for (const file of closureOf(bundle, [...entries, ...pages])) {
          const chunk = bundle[file];
          if (chunk?.type === 'chunk') chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        if (!ENTRY.test(html))
          throw new Error('the page has no script of the app that could wait: look at index.html');
        return {
          html: html.replace(ENTRY, '<template data-app>$&</template>'),
          tags: [preloadForKnown(bundle), START],
        };
      },
    },
  };
}

function preloadForKnown(bundle: Rollup.OutputBundle): HtmlTagDescriptor {
  const chunks = chunksOf(bundle);
  const known = closureOf(
    bundle,
    chunks.filter(({ isEntry }) => isEntry),
  );
  const shell = closureOf(bundle, [find(chunks, SHELL)], known);
  const pages = Object.entries(PAGES).map(([path, page]) => [
    path,
    [...closureOf(bundle, [find(chunks, page)], new Set([...known, ...shell]))],
  ]);
  const script = `try{if(Object.keys(localStorage).some(k=>k.startsWith('sb-')&&k.endsWith('-auth-token'))){
const p=${JSON.stringify(pages)}.find(([p])=>location.pathname.startsWith(p));
if(p)for(const f of [...${JSON.stringify([...shell])},...p[1]])document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',href:'/'+f}))}}catch{}`;
  return { tag: 'script', children: script, injectTo: 'head' };
}

function chunksOf(bundle: Rollup.OutputBundle): readonly Rollup.OutputChunk[] {
  return Object.values(bundle).filter((output) => output.type === 'chunk');
}

function find(chunks: readonly Rollup.OutputChunk[], page: string): Rollup.OutputChunk {
  const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${page}`));
  if (!chunk) throw new Error(`the bundle has no chunk of ${page}: was it renamed?`);
  return chunk;
}

/** Files of the chunks and of all they import statically, except those that are there already. */
function closureOf(
  bundle: Rollup.OutputBundle,
  chunks: readonly Rollup.OutputChunk[],
  except: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const files = new Set<string>();
  const visit = ({ fileName, imports }: Rollup.OutputChunk) => {
    if (files.has(fileName) || except.has(fileName)) return;
    files.add(fileName);
    for (const imported of imports) {
      const chunk = bundle[imported];
      if (chunk?.type === 'chunk') visit(chunk);
    }
  };
  for (const chunk of chunks) visit(chunk);
  return files;
}
