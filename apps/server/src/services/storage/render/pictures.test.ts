import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';
import { createPictureRenderer } from './render-picture.ts';

let bench: FilesBench;
let ana: Person;
let stranger: Person;
beforeAll(async () => {
  bench = await startFiles();
  ana = await bench.createPerson();
  stranger = await bench.createPerson();
  await put('foto.png', await paint('png'));
  await put('foto.png', await paint('png'), 'publico');
});
afterAll(() => bench.stop());

/** Forty pixels wide and twenty high, red on its left and blue on its right. */
async function paint(format: 'png' | 'jpeg' | 'webp' | 'gif'): Promise<Buffer<ArrayBuffer>> {
  const half = { create: { width: 20, height: 20, channels: 3, background: 'blue' } } as const;
  const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .composite([{ input: half, left: 20, top: 0 }])
    .toFormat(format);
  return Buffer.from(await picture.toBuffer());
}

async function put(
  name: string,
  body: Buffer<ArrayBuffer> | string,
  bucket = 'arquivos',
  type = 'image/png',
) {
  const path = `/object/${bucket}/${ana.id}/${name}`;
  const answer = await bench.ask('PUT', path, { as: ana, headers: { 'content-type': type }, body });
  expect(answer.status).toBe(200);
}

function look(query: string, { name = 'foto.png', as = ana, headers = {}, method = 'GET' } = {}) {
  return bench.ask(method, `/render/image/authenticated/arquivos/${ana.id}/${name}${query}`, { as, headers });
}

async function measure(answer: Response) {
  expect(answer.status).toBe(200);
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect(answer.headers.get('content-type')).toBe(`image/${format === 'heif' ? 'avif' : format}`);
  return [width, height, format];
}

const refusal = async (answer: Response) => {
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  return [answer.status, ((await answer.json()) as { message: string }).message];
};
const UNREADABLE = [400, 'The source image is invalid or unsupported for rendering'];

describe('a picture', () => {
  it.each([
    ['', [40, 20, 'png']],
    ['?width=10', [10, 5, 'png']],
    ['?height=10', [20, 10, 'png']],
    ['?width=10&height=10', [10, 10, 'png']],
    ['?width=10&height=10&resize=cover', [10, 10, 'png']],
    ['?width=10&height=10&resize=contain', [10, 5, 'png']],
    ['?width=10&height=30&resize=fill', [10, 30, 'png']],
    ['?width=0&height=0', [40, 20, 'png']],
    // It is not made larger than it is.
    ['?width=400', [40, 20, 'png']],
    ['?width=10&format=webp', [10, 5, 'webp']],
    ['?width=10&format=avif&quality=30', [10, 5, 'heif']],
  ])('is drawn as %s asks', async (query, expected) => {
    expect(await measure(await look(query))).toEqual(expected);
  });

  it('is WebP for whom takes it, unless its own format is asked for', async () => {
    const headers = { accept: 'image/avif,image/webp,*/*' };
    const answer = await look('?width=10', { headers });
    expect(answer.headers.get('vary')).toMatch(/Authorization, Accept$/);
    expect(await measure(answer)).toEqual([10, 5, 'webp']);
    expect(await measure(await look('?width=10&format=origin', { headers }))).toEqual([10, 5, 'png']);
  });

  it.each(['jpeg', 'webp', 'gif'] as const)('of the format %s keeps it', async (format) => {
    await put(`foto.${format}`, await paint(format), 'arquivos', `image/${format}`);
    expect(await measure(await look('?width=10', { name: `foto.${format}` }))).toEqual([10, 5, format]);
  });

  it('tells nothing of where it was taken, and stands upright', async () => {
    const picture = sharp(await paint('jpeg'))
      .withExif({ IFD0: { Orientation: '6' }, IFD3: { GPSLatitudeRef: 'S' } })
      .withMetadata({ orientation: 6 });
    const taken = Buffer.from(await picture.toBuffer());
    expect((await sharp(taken).metadata()).exif).toBeDefined();
    await put('tirada.jpg', taken, 'arquivos', 'image/jpeg');
    const answer = await look('', { name: 'tirada.jpg' });
    const { width, height, exif, orientation } = await sharp(
      Buffer.from(await answer.arrayBuffer()),
    ).metadata();
    expect([width, height, exif, orientation ?? 1]).toEqual([20, 40, undefined, 1]);
  });

  it('is kept by whom has it, and has headers alone on HEAD', async () => {
    const first = await look('?width=10');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('x-transformations')).toBe('width:10,resizing_type:fill');
    // A browser that looks into its cache; left out, `fetch` would ask for an answer past all caches.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await look('?width=10', { headers })).status).toBe(304);
    expect((await look('?width=11', { headers })).status).toBe(200);
    const head = await look('?width=10', { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
  });

  it('is the same one, whichever is asked for first', async () => {
    const [one, other] = [await look('?width=10&height=5'), await look('?height=5&width=10')];
    expect(one.headers.get('x-transformations')).toBe('height:5,width:10,resizing_type:fill');
    expect(other.headers.get('etag')).toBe(one.headers.get('etag'));
  });

  it('is described as the platform describes it', async () => {
    const query = '?quality=60&width=20&height=20&resize=contain&format=webp';
    const { headers } = await look(query);
    expect(headers.get('x-transformations')).toBe(
      'height:20,width:20,resizing_type:fit,quality:60,format:webp',
    );
    expect((await look('?format=origin')).headers.get('x-transformations')).toBe('');
  });

  it.each([
    ['gravity=fp&x_offset=0&y_offset=1', 'gravity:fp:0:1', 'red'],
    ['gravity=fp&x_offset=0.9', 'gravity:fp:0.9:0.5', 'blue'],
    ['gravity=fp&x_offset=1e-7&y_offset=0', 'gravity:fp:1e-7:0', 'red'],
    ['gravity=we', 'gravity:we', 'red'],
    ['gravity=noea', 'gravity:noea', 'blue'],
  ])('is cut so that the point stays in it: %s', async (query, written, colour) => {
    // Its left half is red, its right half blue.
    const answer = await look(`?width=10&height=10&${query}`);
    expect(answer.headers.get('x-transformations')).toBe(`height:10,width:10,resizing_type:fill,${written}`);
    const pixels = await sharp(Buffer.from(await answer.arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer();
    const one = colour === 'red' ? [255, 0, 0] : [0, 0, 255];
    expect([...pixels]).toEqual(Array.from({ length: 100 }, () => one).flat());
  });

  it('is cut at no point where nothing is cut away', async () => {
    expect(await measure(await look('?width=10&gravity=fp&x_offset=0'))).toEqual([10, 5, 'png']);
    expect(await measure(await look('?width=10&height=10&resize=contain&gravity=ea'))).toEqual([
      10,
      5,
      'png',
    ]);
  });

  it('is drawn though a checksum in it is wrong', async () => {
    const whole = await paint('png');
    const at = whole.indexOf('IDAT');
    const length = whole.readUInt32BE(at - 4);
    whole.writeUInt32BE(0, at + 4 + length);
    await put('torta.png', whole);
    expect(await measure(await look('?width=10', { name: 'torta.png' }))).toEqual([10, 5, 'png']);
  });

  it('has the same guard as a file', async () => {
    const { headers } = await look('?width=10&download=a.png');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('content-disposition')).toBe('attachment; filename=a.png');
  });

  it.each([
    ['?width=-1', 'width'],
    ['?height=1.5', 'height'],
    ['?width=x', 'width'],
    ['?resize=stretch', 'resize'],
    ['?quality=10', 'quality'],
    ['?quality=101', 'quality'],
    ['?format=svg', 'format'],
    ['?gravity=sm', 'gravity'],
    ['?gravity=fp&x_offset=1.5', 'x_offset'],
    ['?gravity=fp&y_offset=-0.5', 'y_offset'],
    ['?gravity=fp&y_offset=1e5', 'y_offset'],
    [`?gravity=fp&y_offset=0.${'3'.repeat(23)}`, 'y_offset'],
  ])('%s is no way to draw one', async (query, name) => {
    const [status, message] = await refusal(await look(query));
    expect([status, message]).toEqual([400, expect.stringContaining(name)]);
  });
});

describe('what is no picture', () => {
  const bomb = () => {
    const chunk = (type: string, data: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(data.length);
      return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(60_000, 0);
    header.writeUInt32BE(60_000, 4);
    header.set([8, 2], 8);
    const signature = Buffer.from('89504e470d0a1a0a', 'hex');
    return Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    ]);
  };
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';

  it.each<[string, string, () => Buffer<ArrayBuffer> | string]>([
    ['text', 'texto.txt', () => 'not an image'],
    ['nothing', 'vazio.png', () => ''],
    ['a picture of sixty thousand pixels by sixty thousand', 'bomba.png', bomb],
    ['half a picture', 'meia.png', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['an SVG, whatever it says it is', 'desenho.png', () => svg],
    ['a PDF', 'folha.png', () => '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF'],
    ['a film', 'filme.png', () => Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex')],
    [
      'of the family of HEIF, and none that is known',
      'estranho.png',
      () => Buffer.from('00000010667479706d69663100000000', 'hex'),
    ],
  ])('is refused: %s', async (_what, name, body) => {
    await put(name, body());
    expect(await refusal(await look('?width=10', { name }))).toEqual(UNREADABLE);
    // What came before did no harm to what comes after.
    expect(await measure(await look('?width=10'))).toEqual([10, 5, 'png']);
  });
});

describe('a file that breaks off while it is read', () => {
  it('is no fault of the caller’s, and keeps nobody waiting', async () => {
    for (let count = 0; count < 3; count += 1) {
      vi.spyOn(bench.blobs, 'read').mockImplementationOnce(async () =>
        Readable.from(
          (async function* () {
            yield Buffer.from('89504e470d0a1a0a', 'hex');
            throw new Error('connection lost');
          })(),
        ),
      );
      expect((await look('?width=10')).status).toBe(500);
    }
    expect(await measure(await look('?width=10'))).toEqual([10, 5, 'png']);
  });
});

describe('a picture that is written over before its bytes are read', () => {
  it('is drawn as it is now', async () => {
    await put('trocada.png', await paint('png'));
    const { read } = bench.blobs;
    vi.spyOn(bench.blobs, 'read').mockImplementationOnce(async (...wish) => {
      await put('trocada.png', await paint('jpeg'), 'arquivos', 'image/jpeg');
      return read(...wish);
    });
    const answer = await look('?width=10', { name: 'trocada.png' });
    const { headers } = await look('?width=10', { name: 'trocada.png', method: 'HEAD' });
    for (const name of ['etag', 'vary']) expect(answer.headers.get(name)).toBe(headers.get(name));
    expect(await measure(answer)).toEqual([10, 5, 'jpeg']);
  });
});

describe('who sees a picture', () => {
  const sign = async (body: object) => {
    const answer = await bench.ask('POST', `/object/sign/arquivos/${ana.id}/foto.png`, {
      as: ana,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ expiresIn: 60, ...body }),
    });
    return ((await answer.json()) as { signedURL: string }).signedURL;
  };

  it('is everybody, of a public bucket', async () => {
    const answer = await bench.ask('GET', `/render/image/public/publico/${ana.id}/foto.png?width=10`);
    expect(await measure(answer)).toEqual([10, 5, 'png']);
    const hidden = await bench.ask('GET', `/render/image/public/arquivos/${ana.id}/foto.png?width=10`);
    expect(await refusal(hidden)).toEqual([400, 'Bucket not found']);
  });

  it('is no stranger and no visitor, of a private one', async () => {
    expect(await refusal(await look('?width=10', { as: stranger }))).toEqual([400, 'Object not found']);
    const path = `/render/image/authenticated/arquivos/${ana.id}/foto.png`;
    expect((await bench.ask('GET', path)).status).toBe(400);
    expect((await bench.ask('GET', path, { as: bench.keyring.anonKey })).status).toBe(400);
  });

  it('is whoever has a signed address, as that address shows it', async () => {
    const transform = { width: 10, height: 10, resize: 'cover', gravity: 'fp', x_offset: 0, y_offset: 0.25 };
    const address = await sign({ transform });
    expect((await bench.ask('GET', address)).headers.get('x-transformations')).toBe(
      'height:10,width:10,resizing_type:fill,gravity:fp:0:0.25',
    );
    expect(address).toMatch(/^\/render\/image\/sign\/arquivos\//);
    expect(await measure(await bench.ask('GET', address))).toEqual([10, 10, 'png']);
    // Nobody chooses another size, or the file itself.
    expect(await measure(await bench.ask('GET', `${address}&width=40&height=20`))).toEqual([10, 10, 'png']);
    const file = address.replace('/render/image/sign/', '/object/sign/');
    expect(await refusal(await bench.ask('GET', file))).toEqual([400, 'Invalid signature']);
    const other = address.replace('foto.png', 'foto.jpeg');
    expect((await bench.ask('GET', other)).status).toBe(400);
    bench.advanceClock(61);
    expect((await bench.ask('GET', address)).status).toBe(400);
    bench.advanceClock(0);
  });

  it('is whoever has a signed address, however exactly its point was signed', async () => {
    for (const [x, y] of [
      [1 / 3, 1e-7],
      [1 - 2 ** -53, Number.MIN_VALUE],
      [0.0000012345678901234567, 1e-21 / 3],
    ]) {
      const transform = { width: 10, height: 10, gravity: 'fp', x_offset: x, y_offset: y };
      const answer = await bench.ask('GET', await sign({ transform }));
      expect(answer.headers.get('x-transformations')).toBe(
        `height:10,width:10,resizing_type:fill,gravity:fp:${x}:${y}`,
      );
      expect(await measure(answer)).toEqual([10, 10, 'png']);
    }
  });

  it('signs nothing that cannot be drawn', async () => {
    const answer = await bench.ask('POST', `/object/sign/arquivos/${ana.id}/foto.png`, {
      as: ana,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ expiresIn: 60, transform: { width: -5 } }),
    });
    expect(answer.status).toBe(400);
  });
});

describe('many at once', () => {
  it('wait for each other', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, width) => look(`?width=${width + 1}`)));
    expect(await Promise.all(answers.map(measure))).toHaveLength(20);
  });

  it('are two, behind whom thirty wait: more are told to come back', async () => {
    const render = createPictureRenderer();
    let opened = 0;
    const wait = () => {
      opened += 1;
      return new Promise<never>(() => undefined);
    };
    for (let count = 0; count < 32; count += 1) void render(wait);
    await expect(render(wait)).rejects.toMatchObject({ code: 'SlowDown', statusCode: '429' });
    await expect.poll(() => opened).toBe(2);
  });
});
