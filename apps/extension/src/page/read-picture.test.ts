// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readPicture } from './read-picture.ts';

const BOUNDS = { fileBytes: 1_000, patienceMs: 500, shortestSide: 64, longestSide: 960 };
const PAGE = location.href;
const PNG = `\x89PNG\r\n\x1A\n${'\0'.repeat(40)}`;
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** What images at these addresses are answered with. Others do not answer. */
type Answers = Readonly<Record<string, string | ReadableStream<Uint8Array<ArrayBuffer>>>>;

/** The internet as the page sees it; what was asked for, and what was drawn of it. */
function browse(answers: Answers, size = { width: 1200, height: 630 }) {
  const asked: string[] = [];
  const drawn: { width: number; height: number }[] = [];
  vi.stubGlobal('fetch', (source: string, { signal }: { signal: AbortSignal }) => {
    asked.push(source);
    const body = answers[source];
    if (body === undefined)
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    return Promise.resolve(new Response(typeof body === 'string' ? bytes(body) : body));
  });
  vi.stubGlobal('createImageBitmap', async () => ({ ...size, close: () => undefined }));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      readonly width: number;
      readonly height: number;
      constructor(width: number, height: number) {
        this.width = width;
        this.height = height;
        drawn.push({ width, height });
      }
      getContext = () => ({ fillRect: () => undefined, drawImage: () => undefined });
      convertToBlob = async ({ type }: { type: string }) => new Blob(['desenho'], { type });
    },
  );
  return { asked, drawn };
}
const DRAWN = `data:image/webp;base64,${btoa('desenho')}`;

/** An image that is seen on the page in this size. */
function show(source: string, width: number, height: number, isLoaded = true): void {
  const image = document.createElement('img');
  image.getBoundingClientRect = () => ({ width, height }) as DOMRect;
  Object.defineProperty(image, 'naturalWidth', { value: isLoaded ? width : 0 });
  Object.defineProperty(image, 'currentSrc', { value: source });
  document.body.append(image);
}

beforeEach(() => {
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the picture of a page', () => {
  test('is what the page calls its own, scaled', async () => {
    document.head.innerHTML = `<meta property="og:image" content=" /capa.png "><meta name="twitter:image" content="/outra.png">`;
    show('https://a.example/foto.png', 800, 600);
    const { asked, drawn } = browse({ [new URL('/capa.png', PAGE).href]: PNG });
    expect(await readPicture(PAGE, BOUNDS)).toBe(DRAWN);
    expect(asked).toEqual([new URL('/capa.png', PAGE).href]);
    expect(drawn).toEqual([{ width: 960, height: 504 }]);
  });

  test('is else the largest that is seen, and no banner, icon or what is not there', async () => {
    show('https://a.example/icone.png', 64, 64);
    show('https://a.example/faixa.png', 1400, 200);
    show('https://a.example/foto.png', 800, 600);
    show('https://a.example/menor.png', 300, 200);
    show('https://a.example/ausente.png', 900, 900, false);
    const { asked } = browse({ 'https://a.example/foto.png': PNG });
    expect(await readPicture(PAGE, BOUNDS)).toBe(DRAWN);
    expect(asked).toEqual(['https://a.example/foto.png']);
  });

  test('is the next one where the first is none, and three are tried', async () => {
    document.head.innerHTML = ['og:image', 'twitter:image', 'twitter:image:src']
      .map((name, at) => `<meta name="${name}" content="https://a.example/${at}">`)
      .join('');
    show('https://a.example/foto.png', 800, 600);
    const none = '<!doctype html>';
    const answers = { 'https://a.example/0': none, 'https://a.example/1': none, 'https://a.example/2': none };
    const { asked } = browse({ ...answers, 'https://a.example/foto.png': PNG });
    expect(await readPicture(PAGE, BOUNDS)).toBeNull();
    expect(asked).toEqual(['https://a.example/0', 'https://a.example/1', 'https://a.example/2']);
    browse({ ...answers, 'https://a.example/2': PNG });
    expect(await readPicture(PAGE, BOUNDS)).toBe(DRAWN);
  });

  test('is none of a page that has none, and none of another page than the one that was saved', async () => {
    const { asked } = browse({});
    expect(await readPicture(PAGE, BOUNDS)).toBeNull();
    show('https://a.example/foto.png', 800, 600);
    expect(await readPicture('https://outra.example/', BOUNDS)).toBeNull();
    expect(asked).toEqual([]);
    browse({ 'https://a.example/foto.png': PNG });
    expect(await readPicture(`${PAGE}#parte`, BOUNDS)).toBe(DRAWN);
  });
});

describe('of a hostile page there is no picture', () => {
  const only = (source: string, answers: Answers = {}, size?: { width: number; height: number }) => {
    document.head.innerHTML = '<meta property="og:image">';
    document.querySelector('meta')?.setAttribute('content', source);
    return browse(answers, size);
  };

  test.each(['data:image/png;base64,AAAA', 'javascript:alert(1)', 'file:///etc/passwd', 'http://', ' '])(
    'at an address that is none of the web: %s',
    async (source) => {
      const { asked } = only(source);
      expect(await readPicture(PAGE, BOUNDS)).toBeNull();
      expect(asked).toEqual([]);
    },
  );

  test.each([
    ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a page', '<!doctype html><p>'],
    ['a few letters', 'GI'],
    ['nothing', ''],
  ])('that is %s', async (_what, body) => {
    const { drawn } = only('https://a.example/x.png', { 'https://a.example/x.png': body });
    expect(await readPicture(PAGE, BOUNDS)).toBeNull();
    expect(drawn).toEqual([]);
  });

  test('that has no end: it is left as soon as it is too much', async () => {
    let sent = 0;
    let isLeft = false;
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        sent += 100;
        controller.enqueue(bytes(PNG.padEnd(100, '\0')));
      },
      cancel: () => {
        isLeft = true;
      },
    });
    only('https://a.example/x.png', { 'https://a.example/x.png': endless });
    expect(await readPicture(PAGE, BOUNDS)).toBeNull();
    expect([isLeft, sent < 2_000]).toEqual([true, true]);
  });

  test('that never answers, nor by asking for another one', async () => {
    const { asked } = only('https://a.example/x.png');
    show('https://a.example/foto.png', 800, 600);
    expect(await readPicture(PAGE, { ...BOUNDS, patienceMs: 20 })).toBeNull();
    expect(asked).toEqual(['https://a.example/x.png']);
  });

  test('that is a dot that counts visitors', async () => {
    only('https://a.example/x.png', { 'https://a.example/x.png': PNG }, { width: 2_000, height: 1 });
    expect(await readPicture(PAGE, BOUNDS)).toBeNull();
  });

  test('under the names that are asked', async () => {
    document.head.innerHTML = '<meta property="og:image" content="https://a.example/x.png">';
    Object.defineProperty(document, 'querySelectorAll', { value: () => [{}], configurable: true });
    browse({ 'https://a.example/x.png': PNG });
    expect(await readPicture(PAGE, BOUNDS)).toBe(DRAWN);
    Reflect.deleteProperty(document, 'querySelectorAll');
  });
});

test('it is sent as text, and names nothing from outside itself', async () => {
  document.head.innerHTML = '<meta property="og:image" content="https://a.example/x.png">';
  browse({ 'https://a.example/x.png': PNG });
  const sent = new Function(`return (${readPicture.toString()})(...arguments)`) as typeof readPicture;
  expect(await sent(PAGE, BOUNDS)).toBe(DRAWN);
});
