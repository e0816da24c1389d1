import { vi } from 'vitest';
import type { FakeLibrary } from './fake-library.ts';

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(24).fill(0)]);

interface KnownCover {
  readonly state: string;
  readonly tried_at: string;
}

/**
 * The services of covers in memory, in front of a fake library: what is known of each link, the files, and what pages answer. Pictures
 * are 1200 by 630 pixels, and drawing one makes a file of a few letters.
 */
export function stubCovers(library: FakeLibrary) {
  const known = new Map<string, KnownCover>();
  const files = new Set<string>();
  /** What was asked of whom. */
  const asked: string[] = [];
  let clock = Date.now();
  const control = {
    /** What the function answers for the page of an address. */
    page: async (_url: string): Promise<Response> =>
      new Response(PNG, { headers: { 'content-type': 'image/png' } }),
    /** What the storage answers to a file; null where it takes it. */
    refuseFile: (): Response | null => null,
    /** What the word about a cover waits for. */
    beforeNote: async (): Promise<void> => undefined,
  };
  const listCovers = ({ link_ids }: { readonly link_ids: readonly string[] }) =>
    link_ids.flatMap((link_id) => {
      const cover = known.get(link_id);
      const path = cover?.state === 'image' ? [...files].find((name) => name.endsWith(link_id)) : null;
      return cover === undefined ? [] : [{ link_id, ...cover, path }];
    });
  const note = ({ link_id, state }: { readonly link_id: string; readonly state: string }) => {
    asked.push(`note ${state}`);
    clock += 1_000;
    const tried_at = new Date(clock).toISOString();
    known.set(link_id, { state, tried_at });
    return tried_at;
  };
  const answerFile = (method: string, path: string, body: unknown): Response => {
    const name = path.replace(/^\/(authenticated\/)?arquivos\/?/, '');
    if (method === 'DELETE') {
      const { prefixes } = JSON.parse(String(body)) as { readonly prefixes: readonly string[] };
      for (const each of prefixes) files.delete(each);
      return Response.json([]);
    }
    if (method === 'GET')
      return files.has(name)
        ? new Response('capa', { headers: { 'content-type': 'image/webp' } })
        : Response.json({ statusCode: '404' }, { status: 400 });
    const refusal = control.refuseFile();
    if (refusal) return refusal;
    files.add(name);
    return Response.json({});
  };

  vi.stubGlobal('fetch', async (input: string | URL | Request, init: RequestInit = {}) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const { method = 'GET', body } = init;
    if (pathname.startsWith('/storage/v1/object')) {
      const path = pathname.replace('/storage/v1/object', '');
      asked.push(`${method} file`);
      return answerFile(method, path, body);
    }
    if (pathname === '/functions/v1/link-cover') {
      const { url } = JSON.parse(String(body)) as { readonly url: string };
      asked.push(`page ${url}`);
      return control.page(url);
    }
    if (pathname === '/rest/v1/rpc/category_covers') {
      asked.push('covers');
      return Response.json(listCovers(JSON.parse(String(body))));
    }
    if (pathname === '/rest/v1/rpc/note_cover') {
      await control.beforeNote();
      return Response.json(note(JSON.parse(String(body))));
    }
    return library.fetch(input, init);
  });
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:a', revokeObjectURL: () => undefined }),
  );
  // jsdom opens no pictures and draws none.
  vi.stubGlobal(
    'Image',
    class {
      readonly naturalWidth = 1200;
      readonly naturalHeight = 630;
      onload: (() => void) | null = null;
      set src(_address: string) {
        queueMicrotask(() => this.onload?.());
      }
    },
  );
  const context = { fillRect: () => undefined, drawImage: () => undefined };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['capa'], { type: 'image/webp' })),
  );

  return {
    known,
    files,
    asked,
    control,
    /** Gives a link a cover, as if it had been fetched long ago. */
    give: (linkId: string, userId: string) => {
      files.add(`${userId}/covers/${linkId}`);
      known.set(linkId, { state: 'image', tried_at: '2025-01-01T00:00:00.000Z' });
    },
    pages: () => asked.filter((each) => each.startsWith('page')).map((each) => each.slice(5)),
  };
}
