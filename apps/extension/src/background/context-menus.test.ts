import 'fake-indexeddb/auto';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { addCaptures, listCaptures, MOST_WAITING, removeCaptures } from '../outbox/outbox-store.ts';
import { ownerOf } from '../session/session-store.ts';
import { saveFromMenu } from './context-menus.ts';

const CONNECTION = {
  installation: {
    origin: 'https://a.example',
    servicesUrl: 'https://a.example',
    anonKey: 'anon',
    clientId: null,
  },
  session: { kind: 'token', userId: 'ana', accessToken: 'acesso' },
  hasEnded: false,
} as const;
const TAB = { id: 7, url: 'https://b.example/', title: 'B' };
const PICTURE = `data:image/webp;base64,${btoa('RIFF')}`;

/** What the services were sent. */
let sent: string[];
/** How many arguments each function had that was sent into the page: none reads its words, two its picture. */
let asked: number[];

// The browser stays: the badge on its button is taken away later.
beforeEach(() => {
  sent = [];
  asked = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    sent.push(new URL(String(input)).pathname.replace(/[0-9a-f-]{36}/, 'ID'));
    return Response.json('category');
  });
  vi.stubGlobal('createImageBitmap', async () => ({ width: 960, height: 504, close: () => undefined }));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => ({ drawImage: () => undefined });
      convertToBlob = async () => new Blob(['capa'], { type: 'image/webp' });
    },
  );
  vi.stubGlobal('chrome', {
    action: { setBadgeBackgroundColor: async () => undefined, setBadgeText: async () => undefined },
    alarms: { create: async () => undefined, clear: async () => true },
    scripting: {
      executeScript: async ({ args = [] }: { args?: readonly unknown[] }) => {
        asked.push(args.length);
        return [{ result: args.length === 0 ? { title: '', description: 'Diz', selection: '' } : PICTURE }];
      },
    },
    storage: { local: { get: async () => ({ connection: CONNECTION }) } },
  });
});
test('a page from the menu is saved with its picture', async () => {
  await saveFromMenu({ menuItemId: 'page' }, TAB);
  expect(asked).toEqual([0, 2]);
  await expect
    .poll(() => sent)
    .toEqual([
      '/rest/v1/rpc/capture_link',
      '/storage/v1/object/arquivos/ana/covers/ID',
      '/rest/v1/rpc/note_cover',
    ]);
});

test('a link from it is not saved with the picture of the page that it stands on', async () => {
  await saveFromMenu({ menuItemId: 'link', linkUrl: 'https://c.example/' }, TAB);
  expect(asked).toEqual([]);
  expect(sent).toEqual(['/rest/v1/rpc/capture_link']);
});

test('a link that is not kept, because too many wait, shows so on the button', async () => {
  const setBadgeText = vi.spyOn(chrome.action, 'setBadgeText');
  const owner = ownerOf(CONNECTION);
  onTestFinished(async () =>
    removeCaptures(
      owner,
      (await listCaptures(owner)).map(({ place }) => place),
    ),
  );
  await addCaptures(
    owner,
    Array.from({ length: MOST_WAITING }, (_, at) => ({
      id: `id-${at}`,
      url: `https://b.example/${at}`,
      title: 'B',
      description: null,
      categoryId: null,
      tags: [],
    })),
  );
  await saveFromMenu({ menuItemId: 'link', linkUrl: 'https://c.example/' }, TAB);
  expect(setBadgeText).toHaveBeenCalledWith({ tabId: 7, text: '!' });
  expect(sent).toEqual([]);
});
