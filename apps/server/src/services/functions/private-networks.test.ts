import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPinnedFetch } from './outbound/create-pinned-fetch.ts';
import { callPreview } from './test-support/call-preview.ts';
import { startInternet, type TestInternet } from './test-support/start-internet.ts';

const SITE = '93.184.215.14';
const MIRROR = '2606:2800:21f:cb07::1';
const PRIVATE_TEXT = 'Este endereço não está na internet pública';
const UNREACHABLE_TEXT = 'Não foi possível acessar a página';
/** Where the secrets of this little world are: nothing may ever connect there. */
const INNER = [
  '127.0.0.1:80',
  '10.0.0.5:80',
  '169.254.169.254:80',
  '::1:80',
  'fd00:ec2::254:80',
  '::ffff:7f00:1:80',
];

let internet: TestInternet;
let secretsRead = 0;
beforeAll(async () => {
  internet = startInternet();
  for (const endpoint of INNER) {
    await internet.serve(endpoint, (_request, response) => {
      secretsRead += 1;
      response.setHeader('content-type', 'text/html').end('<title>Segredo</title>');
    });
  }
  await internet.serve(`${SITE}:80`, ({ url }, response) => {
    const target = new URL(url ?? '/', 'http://site').searchParams.get('to');
    if (target === null) response.setHeader('content-type', 'text/html').end('<title>Página</title>');
    else response.writeHead(302, { location: Buffer.from(target).toString('latin1') }).end();
  });
  internet.name('site.exemplo.com', [SITE]);
});
afterAll(() => internet.stop());
beforeEach(() => {
  secretsRead = 0;
  internet.dialled.length = 0;
  internet.lookedUp.length = 0;
});

const preview = (url: string) => callPreview(internet, url);
const redirectTo = (target: string) => preview(`http://site.exemplo.com/?to=${encodeURIComponent(target)}`);

/** Every way to write an address inside that a parser, a resolver or a person may fall for. */
const INNER_ADDRESSES = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0X7F.0x0.0x0.0x1/',
  'http://017700000001/',
  'http://0177.0.0.01/',
  'http://127.0.0.1./',
  'http://0/',
  'http://0.0.0.0/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://①②⑦.0.0.1/',
  'HtTp://127.0.0.1/',
  'http://\t127.0.0.1/',
  'http://127.0.\n0.1/',
  'http://10.0.0.5/',
  'http://167772165/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/iam/',
  'http://0xa9fea9fe/latest/meta-data/iam/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a00:5]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a00:5::1]/',
  'http://[2001:0:0:0:0:0:80ff:fffe]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://localhost/',
  'http://LocalHost/',
  'http://localhost./',
  'http://ⓛocalhost/',
  'http://painel.localhost/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://impressora.local/',
  'http://postgres/',
];

describe('an address inside is refused', () => {
  test.each(INNER_ADDRESSES)('typed as %j', async (address) => {
    const { status, body } = await preview(address);
    expect({ status, body }).toEqual({ status: 400, body: { error: PRIVATE_TEXT } });
    expect([secretsRead, internet.dialled, internet.lookedUp]).toEqual([0, [], []]);
  });

  // A line break would end the header.
  test.each(INNER_ADDRESSES.filter((address) => !address.includes('\n')))(
    'when a public page sends us to %j',
    async (address) => {
      const { status, body } = await redirectTo(address);
      expect({ status, body }).toEqual({ status: 400, body: { error: PRIVATE_TEXT } });
      expect([secretsRead, internet.dialled]).toEqual([0, [`${SITE}:80`]]);
    },
  );

  test.each(['//127.0.0.1/', '/\\127.0.0.1/', '\\\\127.0.0.1\\', 'http:\\\\127.0.0.1\\', '///127.0.0.1'])(
    'behind the relative redirect %j',
    async (location) => {
      expect((await redirectTo(location)).body).toEqual({ error: PRIVATE_TEXT });
      expect([secretsRead, internet.dialled]).toEqual([0, [`${SITE}:80`]]);
    },
  );

  test('at the end of a chain of public pages', async () => {
    const inner = `http://site.exemplo.com/?to=${encodeURIComponent('http://127.0.0.1/')}`;
    const { status } = await redirectTo(`http://site.exemplo.com/?to=${encodeURIComponent(inner)}`);
    expect(status).toBe(400);
    expect(secretsRead).toBe(0);
  });
});

describe('an address that is no page of the web is refused', () => {
  test.each([
    ['http://maria:segredo@site.exemplo.com/', 'A URL não pode conter usuário e senha'],
    ['http://site.exemplo.com@127.0.0.1/', 'A URL não pode conter usuário e senha'],
    ['http://127.0.0.1\\@site.exemplo.com/', PRIVATE_TEXT],
    ['http://site.exemplo.com:22/', 'Só é possível ler páginas nas portas 80 e 443'],
    ['http://site.exemplo.com:5432/', 'Só é possível ler páginas nas portas 80 e 443'],
    ['http://127.0.0.1:3000/', 'Só é possível ler páginas nas portas 80 e 443'],
    ['file:///etc/passwd', 'URL inválida'],
    ['ftp://site.exemplo.com/', 'URL inválida'],
    ['gopher://127.0.0.1:6379/_FLUSHALL', 'URL inválida'],
    ['dict://127.0.0.1:11211/', 'URL inválida'],
    ['data:text/html,<title>x</title>', 'URL inválida'],
    ['http:127.0.0.1', 'URL inválida'],
    ['http:\\\\127.0.0.1\\', 'URL inválida'],
    ['http://[::ffff:127.0.0.1%25lo]/', 'URL inválida'],
    ['http://a.0x7f000001/', 'URL inválida'],
    ['http://site.exemplo.com\u0000.127.0.0.1/', 'URL inválida'],
  ])('typed as %j: %s', async (address, error) => {
    const { status, body } = await preview(address);
    expect({ status, body }).toEqual({ status: 400, body: { error } });
    expect([secretsRead, internet.dialled]).toEqual([0, []]);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://site.exemplo.com/',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'data:text/html,<title>x</title>',
    'http://maria:segredo@site.exemplo.com/',
    'http://site.exemplo.com:6379/',
  ])('when a public page sends us to %s', async (address) => {
    expect((await redirectTo(address)).status).toBe(400);
    expect([secretsRead, internet.dialled]).toEqual([0, [`${SITE}:80`]]);
  });
});

describe('a public name that leads inside is not followed', () => {
  test.each([
    [['127.0.0.1']],
    [['10.0.0.5']],
    [['169.254.169.254']],
    [['0.0.0.0']],
    [['::1']],
    [['::ffff:7f00:1']],
    [['::ffff:127.0.0.1']],
    [['fd00:ec2::254']],
    [['fe80::1']],
    [['64:ff9b::7f00:1']],
    [['2002:7f00:1::']],
    [[SITE, '127.0.0.1']],
    [['127.0.0.1', SITE]],
    [[SITE, MIRROR, 'fd00:ec2::254']],
  ])('to %j', async (addresses) => {
    internet.name('armadilha.exemplo.com', addresses);
    const { status, body, outcome } = await preview('http://armadilha.exemplo.com/');
    expect({ status, body }).toEqual({ status: 502, body: { error: UNREACHABLE_TEXT } });
    expect(outcome).toBe('private_name');
    expect([secretsRead, internet.dialled]).toEqual([0, []]);
  });

  test('and the answer is that of a name that does not exist', async () => {
    internet.name('armadilha.exemplo.com', ['10.0.0.5']);
    const inside = await preview('http://armadilha.exemplo.com/');
    const missing = await preview('http://nao-existe.exemplo.com/');
    expect([inside.status, inside.body]).toEqual([missing.status, missing.body]);
    expect(missing.outcome).toBe('unreachable');
  });

  test('nor when a public page sends us there', async () => {
    internet.name('armadilha.exemplo.com', ['10.0.0.5']);
    expect((await redirectTo('http://armadilha.exemplo.com/')).outcome).toBe('private_name');
    expect([secretsRead, internet.dialled]).toEqual([0, [`${SITE}:80`]]);
  });
});

describe('a name server that changes its mind', () => {
  const alternate = () => {
    const answers = [[SITE], ['127.0.0.1']];
    return () => answers.shift() ?? ['127.0.0.1'];
  };

  test('is asked once: the connection goes to the address that was judged', async () => {
    internet.name('vira.exemplo.com', alternate());
    const { status, body } = await preview('http://vira.exemplo.com/');
    expect([status, body.title]).toEqual([200, 'Página']);
    expect([internet.lookedUp, internet.dialled]).toEqual([['vira.exemplo.com'], [`${SITE}:80`]]);
  });

  test('is judged again at each redirect', async () => {
    internet.name('vira.exemplo.com', alternate());
    const { outcome } = await preview('http://vira.exemplo.com/?to=/');
    expect(outcome).toBe('private_name');
    expect([secretsRead, internet.dialled]).toEqual([0, [`${SITE}:80`]]);
  });
});

describe('production', () => {
  test.each(['http://127.0.0.1:80/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/'])(
    'refuses %s by itself, with nothing in front of it',
    async (address) => {
      const fetchPage = createPinnedFetch();
      await expect(fetchPage(new URL(address), AbortSignal.timeout(2_000))).rejects.toThrow('private_name');
    },
  );
});
