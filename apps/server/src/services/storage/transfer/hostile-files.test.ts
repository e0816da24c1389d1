import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';

let bench: FilesBench;
let ana: Person;
beforeAll(async () => {
  bench = await startFiles();
  ana = await bench.createPerson();
});
afterAll(() => bench.stop());

const PAGE = '<html><script>alert(1)</script>';
/** Each is a page, a script, a style, or something that a browser could take for one. */
const HOSTILE = [
  'text/html',
  'TEXT/HTML; charset=utf-8',
  'application/pdf;, text/html',
  'application/pdf; x=1, text/html',
  'application/pdf, text/html',
  'image/png, text/html',
  'image/png;,text/html',
  'text/plain; charset="utf-8, text/html"',
  'text/plain;charset=x;, text/html;charset=utf-8',
  'text/plain, text/html',
  'text/html, text/plain',
  'text/html;text/plain',
  'application/xhtml+xml',
  'Application/XHTML+XML',
  'application/vnd.wap.xhtml+xml',
  'text/xml',
  'application/xml',
  'application/rss+xml',
  'text/xsl',
  'application/xslt+xml',
  'application/mathml+xml',
  'image/svg+xml',
  'image/SVG+xml;charset=utf-8',
  'multipart/x-mixed-replace; boundary=x',
  'multipart/related; boundary=x',
  'message/rfc822',
  'application/javascript',
  'text/javascript; charset=utf-8',
  'text/ecmascript',
  'text/jscript',
  'text/javascript1.5',
  'application/x-javascript',
  'application/wasm',
  'application/manifest+json',
  'application/json',
  'application/pdf',
  'text/css',
  'text/vtt',
  'text/cache-manifest',
  'text/x-component',
  'application/hta',
  'application/x-shockwave-flash',
  'application/x-mimearchive',
  'application/octet-stream; text/html',
  'unknown/unknown',
  '*/*',
  'application/unknown',
  'html',
  'text/',
  '/html',
  'text/html/plain',
  'text /html',
  'text/ht ml',
  ' text/html',
  '\ttext/html',
  ';text/html',
  ',text/html',
  '',
  ' ',
];
/** No header can carry them; a form's field, the body of a copy and an old record can. */
const WITH_CONTROLS = [
  'text/plain\r\ncontent-type: text/html',
  'text/plain\nx: y',
  'text/plain\u0001',
  'té/xt',
];

const SHOWN = /^(?:image\/png|text\/plain(?:; charset=[a-z0-9._:-]+)?)$/;

let count = 0;
const nextName = () => {
  count += 1;
  return `publico/${count}`;
};
const copyAs = (from: string, to: string, mimetype: string) =>
  bench.ask('POST', '/object/copy', {
    as: ana,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      bucketId: 'publico',
      sourceKey: from.slice('publico/'.length),
      destinationKey: to.slice('publico/'.length),
      copyMetadata: false,
      metadata: { mimetype },
    }),
  });
const form = (append: (form: FormData) => void) => {
  const body = new FormData();
  append(body);
  return body;
};
const writeRecord = (name: string, metadata: object) =>
  bench.database.admin.query(
    `update storage.objects set metadata = metadata || $2 where bucket_id || '/' || name = $1`,
    [name, metadata],
  );

/** Each way by which a file gets its type. `headers` cannot carry control characters. */
const WAYS_IN: Readonly<Record<string, (type: string, name: string) => Promise<unknown>>> = {
  'a body': (type, name) =>
    bench.ask('POST', `/object/${name}`, { as: ana, body: PAGE, headers: { 'content-type': type } }),
  'a body that writes over': async (type, name) => {
    await bench.ask('POST', `/object/${name}`, { as: ana, body: 'x' });
    return bench.ask('PUT', `/object/${name}`, { as: ana, body: PAGE, headers: { 'content-type': type } });
  },
  'a signed address': async (type, name) => {
    const signed = await bench.ask('POST', `/object/upload/sign/${name}`, { as: ana });
    const { url } = (await signed.json()) as { url: string };
    return bench.ask('PUT', url, { body: PAGE, headers: { 'content-type': type } });
  },
  "a form's part": (type, name) =>
    bench.ask('POST', `/object/${name}`, {
      as: ana,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `--b\r\ncontent-disposition: form-data; name=""; filename="a"\r\ncontent-type: ${type}\r\n\r\n${PAGE}\r\n--b--\r\n`,
    }),
  "a form's field": (type, name) =>
    bench.ask('POST', `/object/${name}`, {
      as: ana,
      body: form((fields) => {
        fields.append('contentType', type);
        fields.append('', new Blob([PAGE]));
      }),
    }),
  'a copy that names a type': async (type, name) => {
    const source = nextName();
    await bench.ask('POST', `/object/${source}`, { as: ana, body: PAGE });
    return copyAs(source, name, type);
  },
  'a record from before': async (type, name) => {
    await bench.ask('POST', `/object/${name}`, { as: ana, body: PAGE });
    return writeRecord(name, { mimetype: type });
  },
  'a copy of a record from before': async (type, name) => {
    const source = nextName();
    await bench.ask('POST', `/object/${source}`, { as: ana, body: PAGE });
    await writeRecord(source, { mimetype: type });
    const [sourceKey, destinationKey] = [source, name].map((path) => path.slice('publico/'.length));
    return bench.ask('POST', '/object/copy', {
      as: ana,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bucketId: 'publico', sourceKey, destinationKey }),
    });
  },
};

/** Every answer that gives a file out, or says that the browser has it already. */
async function askEveryWay(name: string): Promise<readonly Response[]> {
  const signed = await bench.ask('POST', `/object/sign/${name}`, {
    as: ana,
    headers: { 'content-type': 'application/json' },
    body: '{"expiresIn":60}',
  });
  const { signedURL } = (await signed.json()) as { signedURL: string };
  const open = `/object/public/${name}`;
  const first = await bench.ask('GET', open);
  const known = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
  return Promise.all([
    first,
    bench.ask('GET', `/object/${name}`, { as: ana }),
    bench.ask('GET', `/object/authenticated/${name}`, { as: ana }),
    bench.ask('GET', signedURL),
    bench.ask('GET', `${open}?download=a.html`),
    bench.ask('HEAD', open),
    bench.ask('GET', open, { headers: { range: 'bytes=0-3' } }),
    bench.ask('GET', open, { headers: known }),
  ]);
}

function expectHarmless({ headers, status, url }: Response) {
  const said = `${status} ${url} ${headers.get('content-type')}`;
  expect([200, 206, 304], said).toContain(status);
  expect(headers.get('x-content-type-options'), said).toBe('nosniff');
  const policy = (headers.get('content-security-policy') ?? '').split('; ');
  for (const rule of ['sandbox', "default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"])
    expect(policy, said).toContain(rule);
  expect(headers.get('content-security-policy'), said).not.toMatch(/script|allow-|,/);
  expect(headers.get('set-cookie'), said).toBeNull();
  const type = headers.get('content-type') ?? '';
  if (SHOWN.test(type)) return;
  expect(type, said).toBe('application/octet-stream');
  expect(headers.get('content-disposition'), said).toMatch(/^attachment(?:;|$)/);
}

describe.each(Object.entries(WAYS_IN))('a hostile type by %s', (way, send) => {
  it('never becomes a page, a script or a style of ours', async () => {
    const types = /body|part|signed/.test(way) ? HOSTILE : [...HOSTILE, ...WITH_CONTROLS];
    const names = await Promise.all(
      types.map(async (type) => {
        const name = nextName();
        await send(type, name);
        return name;
      }),
    );
    const sent = await Promise.all(
      names.map(async (name) => {
        if ((await bench.ask('HEAD', `/object/public/${name}`)).status === 400) return [];
        return askEveryWay(name);
      }),
    );
    for (const answer of sent.flat()) expectHarmless(answer);
    // The table has been through the service, and not been refused as a whole.
    expect(sent.filter((answers) => answers.length > 0).length).toBeGreaterThan(20);
  });
});

it('what a browser draws or plays without running it is shown, and saved under a harmless name when asked', async () => {
  for (const [type, shownAs] of [
    ['image/png', 'image/png'],
    ['IMAGE/JPEG; x=1', 'image/jpeg'],
    ['video/mp4', 'video/mp4'],
    ['text/plain;charset=UTF-8', 'text/plain; charset=utf-8'],
  ] as const) {
    const name = nextName();
    await bench.ask('POST', `/object/${name}`, { as: ana, body: 'x', headers: { 'content-type': type } });
    const { headers } = await bench.ask('GET', `/object/public/${name}`);
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([shownAs, null]);
    const turned = await bench.ask('GET', `/object/public/${name}?download=a%E2%80%AEtxt.exe%00%0d%0ax:y`);
    expect(turned.headers.get('content-disposition')).toBe('attachment; filename="atxt.exex:y"');
  }
});

it('other headers that a record would write are read anew as well, and a copy cannot bring them', async () => {
  const name = nextName();
  await bench.ask('POST', `/object/${name}`, { as: ana, body: PAGE });
  const hostile = 'max-age=1\r\nset-cookie: a=b';
  await writeRecord(name, { cacheControl: hostile, contentEncoding: 'gzip\r\nset-cookie: a=b' });
  const file = await bench.ask('GET', `/object/public/${name}`);
  expect([file.status, file.headers.get('cache-control'), file.headers.get('set-cookie')]).toEqual([
    200,
    'no-cache',
    null,
  ]);
  const copied = await bench.ask('POST', '/object/copy', {
    as: ana,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      bucketId: 'publico',
      sourceKey: name.slice('publico/'.length),
      destinationKey: 'kopie',
      copyMetadata: false,
      metadata: { cacheControl: hostile },
    }),
  });
  expect(await copied.json()).toMatchObject({ code: 'InvalidParameter' });
});
