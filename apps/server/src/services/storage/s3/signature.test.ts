import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey, isSignedWith, type RequestToSign, readSignature, signPiece } from './signature.ts';

/** The examples of Amazon's own reference ("Authenticating Requests: Using the Authorization Header"). */
/** In two parts: nobody is to take it for a key. */
const ACCESS_KEY = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const NOW = new Date('2013-05-24T00:00:00Z');
const SCOPE = '20130524/us-east-1/s3/aws4_request';
const EMPTY_HASH = createHash('sha256').digest('hex');

function describeRequest(
  method: string,
  url: string,
  signature: string,
  signed: string,
  headers: Readonly<Record<string, string>>,
): RequestToSign {
  const authorization = `AWS4-HMAC-SHA256 Credential=${ACCESS_KEY}/${SCOPE},SignedHeaders=${signed},Signature=${signature}`;
  return {
    method,
    url,
    host: 'examplebucket.s3.amazonaws.com',
    headers: {
      'x-amz-date': '20130524T000000Z',
      'x-amz-content-sha256': EMPTY_HASH,
      ...headers,
      authorization,
    },
  };
}

const GET = describeRequest(
  'GET',
  '/test.txt',
  'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  'host;range;x-amz-content-sha256;x-amz-date',
  { range: 'bytes=0-9' },
);
const PUT = describeRequest(
  'PUT',
  '/test$file.text',
  '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
  {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  },
);
const LIST = describeRequest(
  'GET',
  '/?max-keys=2&prefix=J',
  '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  'host;x-amz-content-sha256;x-amz-date',
  {},
);
const check = (request: RequestToSign, secret = SECRET) => {
  const signed = readSignature(request, NOW);
  return isSignedWith(deriveKey(secret, signed.scope), signed, request);
};

describe('a signature', () => {
  it.each([
    ['GET', GET],
    ['PUT', PUT],
    ['a list', LIST],
  ])('of Amazon’s example %s is right, and of nothing else', (_name, request) => {
    expect(check(request)).toBe(true);
    expect(check(request, 'outro')).toBe(false);
    expect(check({ ...request, method: 'DELETE' })).toBe(false);
    expect(check({ ...request, url: `${request.url}x` })).toBe(false);
    expect(check({ ...request, host: 'outro.s3.amazonaws.com' })).toBe(false);
    expect(
      check({ ...request, headers: { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } }),
    ).toBe(false);
  });

  it('in an address is right as Amazon’s example says', () => {
    const url =
      '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=ACCESS_KEY%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';
    const request = {
      method: 'GET',
      url: url.replace('ACCESS_KEY', ACCESS_KEY),
      headers: {},
      host: 'examplebucket.s3.amazonaws.com',
    };
    expect(check(request)).toBe(true);
    expect(check({ ...request, url: request.url.replace('86400', '604800') })).toBe(false);
    const late = new Date(NOW.getTime() + 86_401_000);
    expect(() => readSignature(request, late)).toThrow('expired');
  });

  it('of pieces rests on the one before, as Amazon’s example says', () => {
    const seed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9';
    const signed = { ...readSignature(GET, NOW), signature: seed };
    const key = deriveKey(SECRET, SCOPE);
    let before = seed;
    const pieces = [Buffer.alloc(65_536, 'a'), Buffer.alloc(1024, 'a'), Buffer.alloc(0)].map((piece) => {
      const hashes = [EMPTY_HASH, createHash('sha256').update(piece).digest('hex')];
      before = signPiece(key, signed, { kind: 'PAYLOAD', before, hashes });
      return before;
    });
    expect(pieces).toEqual([
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ]);
  });

  const change = (from: string, to: string): RequestToSign => ({
    ...GET,
    headers: { ...GET.headers, authorization: String(GET.headers.authorization).replace(from, to) },
  });
  it.each<[string, RequestToSign, string]>([
    ['none', { ...GET, headers: {} }, 'Missing signature'],
    ['another algorithm', change('AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA1'), 'Missing signature'],
    [
      'a header of the protocol beside it',
      { ...GET, headers: { ...GET.headers, 'x-amz-copy-source': 'a/b' } },
      'not signed',
    ],
    ['no host in it', change('host;', ''), 'host must be signed'],
    ['the scope of another service', change('/s3/', '/ec2/'), 'Invalid signature format'],
    ['the scope of another day', change('20130524/', '20130523/'), 'Invalid signature format'],
    ['a signature that is none', change('f0e8', 'xxxx'), 'Invalid signature format'],
    ['an endless list of headers', change('range', 'range;'.repeat(100)), 'Invalid signature format'],
    ['no date', { ...GET, headers: { ...GET.headers, 'x-amz-date': 'hoje' } }, 'Invalid signature format'],
  ])('is refused with %s', (_what, request, message) => {
    expect(() => readSignature(request, NOW)).toThrow(message);
  });
});
