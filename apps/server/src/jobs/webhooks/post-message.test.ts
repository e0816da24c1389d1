import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMessagePost, type PostMessageDeps } from './post-message.ts';
import { ADDRESS, RECEIVER, type Receivers, startReceivers } from './test-support/start-receivers.ts';

let receivers: Receivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers.stop());
beforeEach(() => {
  receivers.received.length = 0;
  receivers.internet.dialled.length = 0;
  receivers.answer((response) => response.writeHead(204).end());
});

const SECRET = Buffer.from('um segredo de trinta e dois byte');
const MESSAGE = {
  url: `https://${RECEIVER}/linkoteca?de=mim`,
  id: 'msg_1',
  body: '{"type": "link.created", "data": {"título": "Pão"}}',
  secrets: [SECRET],
};
const post = (wish: Partial<typeof MESSAGE> = {}, deps: PostMessageDeps = {}) =>
  createMessagePost({ ...receivers.internet, ...deps })({ ...MESSAGE, ...wish });
const verify = (secret: Buffer) => {
  const [{ headers, body } = { headers: {}, body: '' }] = receivers.received;
  return new Webhook(`whsec_${secret.toString('base64')}`).verify(body, headers as Record<string, string>);
};

describe('a message', () => {
  test('is verified by the published library, and is what was to be sent', async () => {
    expect(await post()).toEqual({ outcome: 'delivered', status: 204 });
    expect(verify(SECRET)).toEqual(JSON.parse(MESSAGE.body));
    expect(receivers.received).toMatchObject([
      {
        path: '/linkoteca?de=mim',
        body: MESSAGE.body,
        headers: {
          host: RECEIVER,
          'webhook-id': 'msg_1',
          'content-type': 'application/json',
          'user-agent': 'Linkoteca/1.0 (webhooks)',
        },
      },
    ]);
  });

  test('is verified with the old secret as well as the new, and with no other', async () => {
    const old = Buffer.from('o segredo de antes, como se fosse');
    await post({ secrets: [SECRET, old] });
    expect(verify(SECRET)).toEqual(verify(old));
    expect(() => verify(Buffer.from('o segredo de um outro qualquer ..'))).toThrow('No matching signature');
  });

  test('is signed for the moment at which it goes: an old one is refused', async () => {
    await post({}, { now: () => new Date(Date.now() - 600_000) });
    expect(() => verify(SECRET)).toThrow(/too old/);
  });
});

describe('an answer', () => {
  test.each([200, 201, 202, 204])('%i is a delivery', async (status) => {
    receivers.answer((response) => response.writeHead(status).end());
    expect(await post()).toEqual({ outcome: 'delivered', status });
  });

  test.each([301, 302, 307, 308])('%i is none, and nobody follows it', async (status) => {
    receivers.answer((response) =>
      response.writeHead(status, { location: 'https://169.254.169.254/latest/meta-data' }).end(),
    );
    expect(await post()).toEqual({ outcome: 'refused', status });
    expect(receivers.internet.dialled).toEqual([`${ADDRESS}:443`]);
  });

  test.each([
    ['120', 120],
    ['Thu, 01 Jan 2026 00:10:00 GMT', 600],
    ['Thu, 01 Jan 2020 00:00:00 GMT', undefined],
    ['-5', undefined],
    ['amanhã', undefined],
  ])('429 may say when to come again: %j', async (retryAfter, seconds) => {
    receivers.answer((response) =>
      response.writeHead(429, { 'retry-after': Buffer.from(retryAfter).toString('latin1') }).end(),
    );
    const answer = await post({}, { now: () => new Date('2026-01-01T00:00:00Z') });
    expect(answer).toEqual({
      outcome: 'refused',
      status: 429,
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    });
  });

  test('without end is not read, and the connection does not stay', async () => {
    receivers.answer((response) => {
      response.writeHead(200);
      const pour = () => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', pour);
      };
      response.on('error', () => undefined);
      pour();
    });
    expect(await post()).toEqual({ outcome: 'delivered', status: 200 });
    await expect.poll(() => receivers.internet.openConnections()).toBe(0);
  });

  test('that never comes is not waited for', async () => {
    receivers.answer(() => undefined);
    expect(await post({}, { patienceMs: 200 })).toEqual({ outcome: 'timeout' });
    await expect.poll(() => receivers.internet.openConnections()).toBe(0);
  });

  test('whose head comes a byte at a time is not waited for', async () => {
    receivers.answer((response) => {
      const drip = setInterval(() => response.socket?.write('x'), 20);
      response.socket?.on('error', () => undefined).once('close', () => clearInterval(drip));
      response.socket?.write('HTTP/1.1 200 ');
    });
    expect(await post({}, { patienceMs: 300 })).toEqual({ outcome: 'timeout' });
  });

  test('with a head of megabytes is none', async () => {
    receivers.answer((response) => response.writeHead(200, { 'x-lixo': 'a'.repeat(200_000) }).end());
    expect(await post()).toEqual({ outcome: 'unreachable' });
  });

  test('that goes over to another protocol is none', async () => {
    receivers.answer((response) =>
      response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end(),
    );
    expect(await post()).toEqual({ outcome: 'unreachable' });
  });

  test('that is cut off is none', async () => {
    receivers.answer((response) => void response.socket?.destroy());
    expect(await post()).toEqual({ outcome: 'unreachable' });
  });
});

describe('nothing is sent', () => {
  test.each([
    ['10.0.0.7'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['192.168.1.1'],
    ['100.64.0.1'],
    ['::1'],
    ['fd00::1'],
    ['fe80::1'],
    ['::ffff:10.0.0.1'],
    ['64:ff9b::a9fe:a9fe'],
    ['2002:7f00:1::1'],
  ])('to a name that leads to %s, alone or among public ones', async (address) => {
    receivers.internet.name('dentro.exemplo.com.br', [address]);
    receivers.internet.name('misto.exemplo.com.br', [ADDRESS, address]);
    for (const host of ['dentro', 'misto'])
      expect(await post({ url: `https://${host}.exemplo.com.br/` })).toEqual({ outcome: 'unreachable' });
    expect(receivers.internet.dialled).toEqual([]);
  });

  test('to where a name leads once it has been judged (rebinding)', async () => {
    const answers = [[ADDRESS], ['127.0.0.1']];
    receivers.internet.name('muda.exemplo.com.br', () => answers.shift() ?? ['127.0.0.1']);
    await post({ url: 'https://muda.exemplo.com.br/' });
    expect(receivers.internet.dialled).toEqual([`${ADDRESS}:443`]);
    await post({ url: 'https://muda.exemplo.com.br/' });
    expect(receivers.internet.dialled).toEqual([`${ADDRESS}:443`]);
  });

  test.each([
    `http://${RECEIVER}/`,
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://localhost/',
    `https://${RECEIVER}:8443/`,
    `https://ana:senha@${RECEIVER}/`,
    'isto não é um endereço',
  ])('to %s', async (url) => {
    expect(await post({ url })).toEqual({ outcome: 'unreachable' });
    expect(receivers.internet.dialled).toEqual([]);
  });

  test('to somebody with another’s certificate', async () => {
    receivers.internet.name('outro.exemplo.com.br', [ADDRESS]);
    expect(await post({ url: 'https://outro.exemplo.com.br/' })).toEqual({ outcome: 'unreachable' });
    expect(receivers.received).toEqual([]);
  });
});
