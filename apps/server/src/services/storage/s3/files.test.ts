import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FilesBench, Person } from '../test-support/start-files.ts';
import {
  codeOf,
  openS3Client,
  put,
  readTags,
  S3_KEYS,
  type S3Bench,
  startS3,
} from '../test-support/start-s3.ts';

let s3: S3Bench;
let bench: FilesBench;
let ana: Person;
let bia: Person;
beforeAll(async () => {
  s3 = await startS3();
  ({ bench, ana, bia } = s3);
});
afterAll(() => bench.stop());
const asOperator: S3Bench['asOperator'] = (path, init) => s3.asOperator(path, init);
const toUrl: S3Bench['toUrl'] = (path) => s3.toUrl(path);
const as: S3Bench['as'] = (person, path, init) => s3.as(person, path, init);

describe('files', () => {
  it('keep what is noted of them, are read in part, copied with other notes, and not written over where it is said', async () => {
    const headers = { 'content-type': 'text/plain', 'cache-control': 'max-age=60', 'x-amz-meta-cor': 'azul' };
    const stored = await asOperator('/publico/um (1).txt', put('0123456789', headers));
    const etag = `"${createHash('md5').update('0123456789').digest('hex')}"`;
    expect(stored.headers.get('etag')).toBe(etag);
    const part = await asOperator('/publico/um (1).txt', { headers: { range: 'bytes=2-4' } });
    expect([part.status, await part.text(), part.headers.get('x-amz-meta-cor')]).toEqual([
      206,
      '234',
      'azul',
    ]);
    expect((await asOperator('/publico/um (1).txt', { headers: { range: 'bytes=90-' } })).status).toBe(416);
    expect(
      (
        await asOperator('/publico/um (1).txt', {
          headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
        })
      ).status,
    ).toBe(304);
    expect((await asOperator('/publico/um (1).txt', { headers: { 'if-match': '"outro"' } })).status).toBe(
      412,
    );
    const again = await asOperator('/publico/um (1).txt', put('outro', { 'if-none-match': '*' }));
    expect(await codeOf(again)).toEqual([412, 'PreconditionFailed']);

    const source = { 'x-amz-copy-source': encodeURIComponent('/publico/um (1).txt') };
    const copied = await asOperator('/publico/copia.txt', { method: 'PUT', headers: source });
    expect(readTags(await copied.text(), 'ETag')).toEqual([etag.replaceAll('"', '&quot;')]);
    expect((await asOperator('/publico/copia.txt', { method: 'HEAD' })).headers.get('x-amz-meta-cor')).toBe(
      'azul',
    );
    const replace = {
      ...source,
      'x-amz-metadata-directive': 'REPLACE',
      'content-type': 'text/css',
      'x-amz-meta-cor': 'verde',
    };
    await asOperator('/publico/copia.txt', { method: 'PUT', headers: replace });
    const head = await asOperator('/publico/copia.txt', { method: 'HEAD' });
    expect([head.headers.get('content-type'), head.headers.get('x-amz-meta-cor')]).toEqual([
      'text/css',
      'verde',
    ]);
    const stolen = { 'x-amz-copy-source': `gavetas/${ana.id}/nota.txt` };
    await as(ana, `/gavetas/${ana.id}/nota.txt`, put('oi'));
    const theft = await as(bia, `/gavetas/${bia.id}/nota.txt`, { method: 'PUT', headers: stolen });
    expect(await codeOf(theft)).toEqual([404, 'NoSuchKey']);
  });

  it('keep notes whose names have dots and underscores', async () => {
    const notes = { 'x-amz-meta-file_name': 'a', 'x-amz-meta-b.c': 'd' };
    expect((await asOperator('/publico/nomes.txt', put('oi', notes))).status).toBe(200);
    const { headers } = await asOperator('/publico/nomes.txt', { method: 'HEAD' });
    expect(Object.fromEntries(headers)).toMatchObject(notes);
  });

  it('keep notes as long as the key of a file that its sender has encrypted', async () => {
    const notes = { 'x-amz-meta-x-amz-key-v2': 'k'.repeat(344), 'x-amz-meta-longa': 'x'.repeat(2_048 - 344) };
    expect((await asOperator('/publico/cifrado.bin', put('oi', notes))).status).toBe(200);
    for (const method of ['HEAD', 'GET']) {
      const { headers } = await asOperator('/publico/cifrado.bin', { method });
      expect(Object.fromEntries(headers)).toMatchObject(notes);
    }
  });

  it('leave long notes out where all of them would not fit a header', async () => {
    const notes = {
      'x-amz-meta-a': 'a'.repeat(1_900),
      'x-amz-meta-b': 'b'.repeat(1_900),
      'x-amz-meta-c': 'c',
    };
    expect((await asOperator('/publico/notas.bin', put('oi', notes))).status).toBe(200);
    const { headers } = await asOperator('/publico/notas.bin', { method: 'HEAD' });
    expect(Object.keys(notes).map((name) => headers.get(name)?.length)).toEqual([1_900, undefined, 1]);
  });

  it('are saved under a name as long as whoever reads them wants it', async () => {
    await asOperator('/publico/curto.txt', put('oi'));
    const disposition = `attachment; filename="${'n'.repeat(255)}.txt"`;
    const query = new URLSearchParams({ 'response-content-disposition': disposition });
    const { headers } = await asOperator(`/publico/curto.txt?${query}`);
    expect(headers.get('content-disposition')).toBe(disposition);
  });

  it('are written whatever the names in the query that is signed', async () => {
    const query = 'x-amz-meta-cor=azul&x-amz-meta-cor-fundo=verde';
    expect((await asOperator(`/publico/consulta.txt?${query}`, put('oi'))).status).toBe(200);
    const { headers } = await asOperator('/publico/consulta.txt', { method: 'HEAD' });
    expect([headers.get('x-amz-meta-cor'), headers.get('x-amz-meta-cor-fundo')]).toEqual(['azul', 'verde']);
  });

  it('are copied with the encoding that is noted of them, or with the one that stands in its place', async () => {
    const packed = put('oi', { 'content-encoding': 'br', 'cache-control': 'no-transform' });
    await asOperator('/publico/cheio.txt', packed);
    const copy = async (headers: Readonly<Record<string, string>>) => {
      const source = { 'x-amz-copy-source': 'publico/cheio.txt', ...headers };
      expect((await asOperator('/publico/vazio.txt', { method: 'PUT', headers: source })).status).toBe(200);
      const head = await asOperator('/publico/vazio.txt', { method: 'HEAD' });
      return head.headers.get('content-encoding');
    };
    const replace = { 'x-amz-metadata-directive': 'REPLACE' };
    expect(await copy({ 'content-encoding': 'gzip' })).toBe('br');
    expect(await copy({ ...replace, 'content-encoding': 'gzip' })).toBe('gzip');
    expect(await copy({ ...replace, 'content-encoding': 'aws-chunked' })).toBeNull();
    expect(await copy(replace)).toBeNull();
  });

  it('are written over only in the state that is asked for, and only where there is one', async () => {
    const path = '/publico/contador.txt';
    const blobs = await bench.countBlobs();
    const write = (to: string, body: string, match: string) =>
      asOperator(to, put(body, { 'if-match': match }));
    const copy = (to: string, conditions: Readonly<Record<string, string>>) =>
      asOperator(to, {
        method: 'PUT',
        headers: { 'x-amz-copy-source': 'publico/contador.txt', ...conditions },
      });
    for (const match of ['*', '"outro"'])
      expect(await codeOf(await write(path, 'um', match))).toEqual([404, 'NoSuchKey']);
    expect(await bench.countBlobs()).toBe(blobs);
    const first = (await asOperator(path, put('um'))).headers.get('etag') ?? '';
    const written = await write(path, 'dois', first);
    const second = written.headers.get('etag') ?? '';
    expect(written.status).toBe(200);
    for (const refused of [
      await write(path, 'perdido', first),
      await write(path, 'perdido', 'outro'),
      await write(path, 'perdido', `W/${second}`),
      await copy(path, { 'if-match': first, 'x-amz-metadata-directive': 'REPLACE' }),
      await copy(path, { 'if-none-match': '*', 'x-amz-metadata-directive': 'REPLACE' }),
    ])
      expect(await codeOf(refused)).toEqual([412, 'PreconditionFailed']);
    expect(await codeOf(await copy('/publico/nenhum.txt', { 'if-match': '*' }))).toEqual([404, 'NoSuchKey']);
    expect(await (await asOperator(path)).text()).toBe('dois');
    for (const match of [second, second.replaceAll('"', ''), `"outro", ${second}`, '*'])
      expect([match, (await write(path, 'dois', match)).status]).toEqual([match, 200]);
    expect((await copy(path, { 'if-match': second })).status).toBe(200);
    expect(await bench.countBlobs()).toBe(blobs + 1);
    const hidden = `/gavetas/${ana.id}/contador.txt`;
    await as(ana, hidden, put('oi'));
    expect(await codeOf(await as(bia, hidden, put('x', { 'if-match': '*' })))).toEqual([403, 'AccessDenied']);
  });

  it('are deleted only in the state that is asked for', async () => {
    const path = `/gavetas/${ana.id}/apagado.txt`;
    const etag = (await as(ana, path, put('um'))).headers.get('etag') ?? '';
    const remove = (person: Person, match: string) =>
      as(person, path, { method: 'DELETE', headers: { 'if-match': match } });
    expect(await codeOf(await remove(ana, '"outro"'))).toEqual([412, 'PreconditionFailed']);
    expect(await codeOf(await remove(bia, etag))).toEqual([404, 'NoSuchKey']);
    expect(await (await as(ana, path)).text()).toBe('um');
    expect((await remove(ana, etag)).status).toBe(204);
    expect(await codeOf(await remove(ana, '*'))).toEqual([404, 'NoSuchKey']);
  });

  it('are deleted many at once, each only in the state that is asked for', async () => {
    const write = (name: string, body: string) => as(ana, `/gavetas/${ana.id}/${name}`, put(body));
    const old = (await write('mudado', 'um')).headers.get('etag') ?? '';
    await write('mudado', 'dois');
    const same = (await write('igual', 'um')).headers.get('etag') ?? '';
    const bare = (await write('nua', 'três')).headers.get('etag')?.replaceAll('"', '') ?? '';
    for (const name of ['qualquer', 'livre']) await write(name, name);
    const wanted = [
      ...[['mudado', old] as const, ['igual', same] as const, ['nua', bare] as const],
      ...[['qualquer', '*'] as const, ['livre'] as const, ['nenhum', '*'] as const],
    ];
    const list = wanted.map(([name, tag]) => {
      const condition = tag === undefined ? '' : `<ETag>${tag.replaceAll('"', '&quot;')}</ETag>`;
      return `<Object><Key>${ana.id}/${name}</Key>${condition}</Object>`;
    });
    const body = `<Delete>${list.join('')}</Delete>`;
    const answer = await (await as(ana, '/gavetas?delete', { method: 'POST', body })).text();
    expect([readTags(answer, 'Key'), readTags(answer, 'Code')]).toEqual([
      ['igual', 'nua', 'qualquer', 'livre', 'mudado', 'nenhum'].map((name) => `${ana.id}/${name}`),
      ['PreconditionFailed', 'NoSuchKey'],
    ]);
    expect(await (await as(ana, `/gavetas/${ana.id}/mudado`)).text()).toBe('dois');
    expect((await as(ana, `/gavetas/${ana.id}/igual`)).status).toBe(404);
  });

  it('are written over by one of two who have seen the same state', async () => {
    const path = '/publico/corrida.txt';
    const seen = (await asOperator(path, put('antes'))).headers.get('etag') ?? '';
    const { write } = bench.blobs;
    // Its bytes are kept, and its record not yet written: the other is faster.
    vi.spyOn(bench.blobs, 'write').mockImplementationOnce(async (...wish) => {
      const blob = await write(...wish);
      expect((await asOperator(path, put('outra', { 'if-match': seen }))).status).toBe(200);
      return blob;
    });
    const late = await asOperator(path, put('uma', { 'if-match': seen }));
    expect(await codeOf(late)).toEqual([412, 'PreconditionFailed']);
    expect(await (await asOperator(path)).text()).toBe('outra');
  });

  it('are given out in one state, the one that is asked for, also when they are written over meanwhile', async () => {
    const path = '/publico/disputado.txt';
    const stored = await asOperator(
      path,
      put('antes', { 'x-amz-meta-cor': 'azul', 'x-amz-meta-antes': 'sim' }),
    );
    const { read } = bench.blobs;
    const overwriteOnce = (body: string) =>
      vi.spyOn(bench.blobs, 'read').mockImplementationOnce(async (...wish) => {
        await asOperator(path, put(body, { 'x-amz-meta-cor': 'verde' }));
        return read(...wish);
      });
    overwriteOnce('depois');
    const headers = { 'if-match': stored.headers.get('etag') ?? '' };
    expect(await codeOf(await asOperator(path, { headers }))).toEqual([412, 'PreconditionFailed']);
    await asOperator(path, put('antes', { 'x-amz-meta-antes': 'sim' }));
    overwriteOnce('agora');
    const answer = await asOperator(path);
    const notes = ['cor', 'antes'].map((name) => answer.headers.get(`x-amz-meta-${name}`));
    expect([await answer.text(), ...notes]).toEqual(['agora', 'verde', null]);
  });

  it('are read only in the state that is asked for', async () => {
    const path = '/publico/lido.txt';
    const etag = (await asOperator(path, put('oi'))).headers.get('etag') ?? '';
    const changed = (await asOperator(path, { method: 'HEAD' })).headers.get('last-modified') ?? '';
    const earlier = new Date(Date.parse(changed) - 1000).toUTCString();
    const cases: readonly (readonly [number, Readonly<Record<string, string>>])[] = [
      [412, { 'if-match': '"outro"', 'if-unmodified-since': changed }],
      [412, { 'if-unmodified-since': earlier }],
      [412, { 'if-unmodified-since': earlier, 'if-none-match': etag }],
      [200, { 'if-unmodified-since': changed }],
      [200, { 'if-unmodified-since': 'ontem' }],
      [200, { 'if-match': etag, 'if-unmodified-since': earlier }],
      [200, { 'if-match': `"outro", ${etag}` }],
    ];
    for (const [status, headers] of cases)
      for (const method of ['GET', 'HEAD'])
        expect([headers, (await asOperator(path, { method, headers })).status]).toEqual([headers, status]);
  });

  it('are copied only in the state that is asked for', async () => {
    const stored = await asOperator('/publico/modelo.txt', put('oi'));
    const etag = stored.headers.get('etag') ?? '';
    const { headers } = await asOperator('/publico/modelo.txt', { method: 'HEAD' });
    const changed = headers.get('last-modified') ?? '';
    const earlier = new Date(Date.parse(changed) - 1000).toUTCString();
    const copy = (path: string, conditions: Readonly<Record<string, string>>) =>
      asOperator(path, {
        method: 'PUT',
        headers: {
          'x-amz-copy-source': 'publico/modelo.txt',
          ...Object.fromEntries(
            Object.entries(conditions).map(([name, value]) => [`x-amz-copy-source-if-${name}`, value]),
          ),
        },
      });
    const begun = await asOperator('/publico/copiado.txt?uploads', { method: 'POST' });
    const [id = ''] = readTags(await begun.text(), 'UploadId');
    const part = `/publico/copiado.txt?partNumber=1&uploadId=${id}`;
    for (const wrong of [
      { match: '"outro"' },
      { 'none-match': etag },
      { 'none-match': '*' },
      { 'unmodified-since': earlier },
      { 'modified-since': changed },
      { match: '"outro"', 'unmodified-since': changed },
      { 'none-match': etag, 'modified-since': earlier },
    ])
      for (const path of ['/publico/copiado.txt', part])
        expect([wrong, ...(await codeOf(await copy(path, wrong)))]).toEqual([
          wrong,
          412,
          'PreconditionFailed',
        ]);
    expect((await asOperator('/publico/copiado.txt')).status).toBe(404);
    const parts = await asOperator(`/publico/copiado.txt?uploadId=${id}`);
    expect(readTags(await parts.text(), 'PartNumber')).toEqual([]);
    for (const right of [
      { match: etag },
      { match: `"outro", ${etag}` },
      { match: etag.replaceAll('"', '') },
      { match: '*' },
      { 'none-match': '"outro"' },
      { 'unmodified-since': changed },
      { 'modified-since': earlier },
      { match: etag, 'unmodified-since': earlier },
      { 'none-match': '"outro"', 'modified-since': changed },
      { 'unmodified-since': 'ontem', 'modified-since': 'ontem' },
    ])
      for (const path of ['/publico/copiado.txt', part])
        expect([right, (await copy(path, right)).status]).toEqual([right, 200]);
    await asOperator(`/publico/copiado.txt?uploadId=${id}`, { method: 'DELETE' });
  });

  it('are as large and of such kinds as their bucket takes, as by any other way in', async () => {
    const png = { 'content-type': 'image/png' };
    expect(await codeOf(await asOperator('/fotos/grande.png', put('x'.repeat(1001), png)))).toEqual([
      413,
      'EntityTooLarge',
    ]);
    expect(
      await codeOf(await asOperator('/fotos/texto.txt', put('x', { 'content-type': 'text/plain' }))),
    ).toEqual([415, 'InvalidMimeType']);
    expect(await codeOf(await asOperator('/publico/a%5Cb', put('x')))).toEqual([400, 'InvalidKey']);
    expect(await codeOf(await asOperator('/nenhum/x.txt', put('x')))).toEqual([404, 'NoSuchBucket']);
  });

  it('are given out with the headers that the signer chose, a window only with those that run nothing', async () => {
    await asOperator('/publico/outros.txt', put('oi', { 'content-type': 'text/plain' }));
    const chosen = {
      'response-cache-control': 'no-store',
      'response-content-disposition': 'inline; filename="a.html"',
      'response-content-encoding': 'identity',
      'response-content-language': 'pt-BR',
      'response-content-type': 'text/html',
      'response-expires': 'Tue, 01 Jan 2030 00:00:00 GMT',
    };
    const path = `/publico/outros.txt?${new URLSearchParams(chosen)}`;
    const headersOf = ({ headers }: Response) =>
      Object.keys(chosen).map((name) => headers.get(name.replace('response-', '')));
    expect(headersOf(await asOperator(path))).toEqual(Object.values(chosen));
    const url = `${toUrl(path)}&X-Amz-Expires=60`;
    const { url: address } = await openS3Client(S3_KEYS).sign(url, { aws: { signQuery: true } });
    const opened = await fetch(address);
    expect(headersOf(opened)).toEqual([
      'no-store',
      null,
      null,
      'pt-BR',
      'text/plain',
      'Tue, 01 Jan 2030 00:00:00 GMT',
    ]);
    expect(await codeOf(await fetch(address.replace('pt-BR', 'en')))).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await codeOf(await asOperator('/publico/outros.txt?response-content-type=a%0Ab'))).toEqual([
      400,
      'InvalidParameter',
    ]);
    expect((await asOperator('/publico/outros.txt?response-x-frame-options=a')).status).toBe(501);
  });

  it('have no tags, and get none', async () => {
    await as(ana, `/gavetas/${ana.id}/etiquetas`, put('oi'));
    const path = `/gavetas/${ana.id}/etiquetas?tagging`;
    expect(await (await as(ana, path)).text()).toContain('<TagSet></TagSet>');
    expect(await codeOf(await as(bia, path))).toEqual([404, 'NoSuchKey']);
    expect(await codeOf(await as(ana, path, put('<Tagging/>')))).toEqual([501, 'NotImplemented']);
    expect((await as(ana, path, { method: 'DELETE' })).status).toBe(501);
    expect(await (await as(ana, `/gavetas/${ana.id}/etiquetas`)).text()).toBe('oi');
    expect((await asOperator('/gavetas?tagging')).status).toBe(501);
  });

  it('go one by one or many at once, but only those that one may delete', async () => {
    for (const name of ['a', 'b', 'c']) await as(ana, `/gavetas/${ana.id}/${name}`, put(name));
    const list = (names: readonly string[]) =>
      `<Delete>${names.map((name) => `<Object><Key>${ana.id}/${name}</Key></Object>`).join('')}</Delete>`;
    const remove = (person: Person, names: readonly string[]) =>
      as(person, '/gavetas?delete', { method: 'POST', body: list(names) });
    await remove(bia, ['a', 'b']);
    expect(await (await as(ana, `/gavetas/${ana.id}/a`)).text()).toBe('a');
    const gone = await (await remove(ana, ['a', 'nada'])).text();
    expect(readTags(gone, 'Key')).toEqual([`${ana.id}/a`, `${ana.id}/nada`]);
    expect(gone).not.toContain('<Error>');
    // What no file can be named is not there, and keeps the others from nothing.
    const odd = ['relatório', '../x', '&#0;'];
    const rest = await (await remove(ana, [...odd, 'c'])).text();
    expect(readTags(rest, 'Key')).toEqual(
      ['relatório', '../x', '\ufffd', 'c'].map((name) => `${ana.id}/${name}`),
    );
    expect(rest).not.toContain('<Error>');
    expect((await as(ana, `/gavetas/${ana.id}/c`)).status).toBe(404);
    await bench.database.admin.query(
      `create policy seen_by_all on storage.objects for select to authenticated using (bucket_id = 'gavetas')`,
    );
    try {
      const refused = await (await remove(bia, ['b'])).text();
      expect([readTags(refused, 'Key'), readTags(refused, 'Code')]).toEqual([
        [`${ana.id}/b`],
        ['AccessDenied'],
      ]);
    } finally {
      await bench.database.admin.query('drop policy seen_by_all on storage.objects');
    }
    expect((await as(ana, `/gavetas/${ana.id}/b`, { method: 'DELETE' })).status).toBe(204);
    expect((await as(ana, `/gavetas/${ana.id}/b`)).status).toBe(404);
    for (const body of [
      '',
      '<Delete></Delete>',
      '<Delete><Object></Object></Delete>',
      list(['a\0']),
      'nada',
      list(Array.from({ length: 1001 }, (_, at) => String(at))),
    ])
      expect(await codeOf(await as(ana, '/gavetas?delete', { method: 'POST', body }))).toEqual([
        400,
        'MalformedXML',
      ]);
  });
});

describe('lists', () => {
  beforeAll(async () => {
    await asOperator('/listas', { method: 'PUT' });
    for (const name of ['a.txt', 'f/1', 'f/2', 'g/1', 'z & <b>.txt'])
      await asOperator(`/listas/${encodeURIComponent(name).replaceAll('%2F', '/')}`, put('x')).then(
        (answer) => expect([name, answer.status]).toEqual([name, name.includes('<') ? 400 : 200]),
      );
    await asOperator('/listas/z%20&%20b.txt', put('x'));
  });
  const list = async (query: string) => (await asOperator(`/listas?${query}`)).text();

  it('are read page by page, flat or by folder', async () => {
    expect(readTags(await list('list-type=2'), 'Key')).toEqual([
      'a.txt',
      'f/1',
      'f/2',
      'g/1',
      'z &amp; b.txt',
    ]);
    const folders = await list('list-type=2&delimiter=/');
    expect([readTags(folders, 'Key'), readTags(folders, 'Prefix')]).toEqual([
      ['a.txt', 'z &amp; b.txt'],
      ['', 'f/', 'g/'],
    ]);
    const seen: (string | undefined)[] = [];
    let token = '';
    do {
      const page = await list(
        `list-type=2&max-keys=2${token && `&continuation-token=${encodeURIComponent(token)}`}`,
      );
      seen.push(...readTags(page, 'Key'));
      [token = ''] = readTags(page, 'NextContinuationToken');
    } while (token !== '');
    expect(seen).toEqual(['a.txt', 'f/1', 'f/2', 'g/1', 'z &amp; b.txt']);
    expect(readTags(await list('list-type=2&start-after=f/'), 'Key')).toEqual([
      'f/1',
      'f/2',
      'g/1',
      'z &amp; b.txt',
    ]);
    expect(readTags(await list('list-type=2&prefix=f/&encoding-type=url'), 'Key')).toEqual(['f/1', 'f/2']);
  });

  it('have their older form, which goes on behind a name', async () => {
    const page = await list('max-keys=2&delimiter=/');
    expect([readTags(page, 'Key'), readTags(page, 'NextMarker'), readTags(page, 'IsTruncated')]).toEqual([
      ['a.txt'],
      ['f/'],
      ['true'],
    ]);
    const next = await list('delimiter=/&marker=f/');
    expect([readTags(next, 'Key'), readTags(next, 'Prefix')]).toEqual([['z &amp; b.txt'], ['', 'g/']]);
  });

  it('go on behind a file that is named like a folder with what lies in it', async () => {
    const names = ['f/', 'f/1', 'f/2'];
    await asOperator('/marcas', { method: 'PUT' });
    for (const name of names) expect((await asOperator(`/marcas/${name}`, put('x'))).status).toBe(200);
    const read = async (query: string) => (await asOperator(`/marcas?${query}`)).text();
    for (const query of ['', '&prefix=f/', '&prefix=f/&delimiter=/']) {
      const seen: (string | undefined)[] = [];
      let token = '';
      do {
        const page = await read(`list-type=2&max-keys=1${query}${token && `&continuation-token=${token}`}`);
        seen.push(...readTags(page, 'Key'));
        [token = ''] = readTags(page, 'NextContinuationToken');
      } while (token !== '');
      expect([query, seen]).toEqual([query, names]);
    }
    const older = async (prefix: string) =>
      readTags(await read(`prefix=${prefix}&delimiter=/&marker=f/`), 'Key');
    expect([await older('f/'), await older('f/1')]).toEqual([['f/1', 'f/2'], ['f/1']]);
  });

  it.each([
    ['list-type=2&continuation-token=nada', 400, 'InvalidParameter'],
    ['list-type=2&max-keys=x', 400, 'InvalidParameter'],
    ['list-type=2&delimiter=x', 501, 'NotImplemented'],
    ['acl', 501, 'NotImplemented'],
  ])('are refused: %s', async (query, status, code) => {
    expect(await codeOf(await asOperator(`/listas?${query}`))).toEqual([status, code]);
  });
});

describe('buckets', () => {
  it('are made, found, listed and deleted, by the operator', async () => {
    expect((await asOperator('/novo', { method: 'PUT' })).status).toBe(200);
    expect(await codeOf(await asOperator('/novo', { method: 'PUT' }))).toEqual([409, 'BucketAlreadyExists']);
    expect((await asOperator('/novo', { method: 'HEAD' })).headers.get('x-amz-bucket-region')).toBe(
      'sa-east-1',
    );
    expect(readTags(await (await asOperator('/')).text(), 'Name')).toContain('novo');
    expect(await (await asOperator('/novo?location')).text()).toContain('LocationConstraint');
    await asOperator('/novo/x', put('x'));
    expect(await codeOf(await asOperator('/novo', { method: 'DELETE' }))).toEqual([409, 'BucketNotEmpty']);
    await asOperator('/novo/x', { method: 'DELETE' });
    expect((await asOperator('/novo', { method: 'DELETE' })).status).toBe(204);
    expect((await asOperator('/novo', { method: 'HEAD' })).status).toBe(404);
  });

  it('are nobody else’s', async () => {
    expect(await codeOf(await as(ana, '/dela', { method: 'PUT' }))).toEqual([403, 'AccessDenied']);
    expect(readTags(await (await as(ana, '/')).text(), 'Name')).toEqual([]);
    expect(await codeOf(await as(ana, '/gavetas', { method: 'DELETE' }))).toEqual([404, 'NoSuchBucket']);
  });
});
