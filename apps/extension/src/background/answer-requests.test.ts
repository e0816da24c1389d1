import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addCaptures } from '../outbox/outbox-store.ts';
import { ownerOf } from '../session/session-store.ts';
import type { Answer, Request } from '../shared/messages.ts';
import { answerRequests } from './answer-requests.ts';

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
const TAB = { id: 7, address: 'https://b.example/' };

type Listener = (request: Request, sender: null, answer: (answer: Answer) => void) => void;
let ask: (request: Request) => Promise<Answer>;
let sent: string[];
let finishPicture: (result: readonly { result: string }[]) => void;
const read = vi.fn();

beforeEach(async () => {
  sent = [];
  read.mockReset().mockReturnValue(
    new Promise((resolve) => {
      finishPicture = resolve;
    }),
  );
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    sent.push(new URL(String(input)).pathname);
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
  let listener: Listener = () => undefined;
  vi.stubGlobal('chrome', {
    alarms: { create: async () => undefined, clear: async () => true },
    runtime: {
      onMessage: {
        addListener: (added: Listener) => {
          listener = added;
        },
      },
    },
    scripting: { executeScript: read },
    storage: { local: { get: async () => ({ connection: CONNECTION }) } },
  });
  answerRequests();
  ask = (request) => new Promise((resolve) => listener(request, null, resolve));
  await addCaptures(ownerOf(CONNECTION), [
    { id: 'link', url: TAB.address, title: 'B', description: null, categoryId: null, tags: [] },
  ]);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a link is saved and answered for at once, and has its cover when the page has given its picture', async () => {
  expect(
    await ask({ kind: 'send-outbox', seen: { owner: ownerOf(CONNECTION), linkId: 'link', tab: TAB } }),
  ).toEqual({ ok: true });
  expect(sent).toEqual(['/rest/v1/rpc/capture_link']);
  finishPicture([{ result: `data:image/webp;base64,${btoa('RIFF')}` }]);
  await expect
    .poll(() => sent.slice(1))
    .toEqual(['/storage/v1/object/arquivos/ana/covers/link', '/rest/v1/rpc/note_cover']);
});

test('no page is asked for its picture where none was seen', async () => {
  expect(await ask({ kind: 'send-outbox' })).toEqual({ ok: true });
  expect(sent).toEqual(['/rest/v1/rpc/capture_link']);
  expect(read).not.toHaveBeenCalled();
});
