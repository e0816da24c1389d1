import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RestBench, startRestService } from './test-support/start-rest-service.ts';

/** Functions whose value nobody looks at, which Postgres would leave out of a statement if it may. */
const UNSEEN = `
  create function workshop.refuse_all() returns void language plpgsql stable as
    $$ begin raise sqlstate 'PT403' using message = 'Não'; end $$;
  create function workshop.refuse_a_value() returns int language plpgsql immutable as
    $$ begin raise sqlstate 'PT403' using message = 'Não'; end $$;
  create function workshop.closed() returns void language sql stable as 'select';
  create function workshop.closed_value() returns int language sql stable as 'select 1';
  revoke execute on function workshop.closed(), workshop.closed_value() from public;
`;

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService(UNSEEN);
});
afterAll(() => rest.stop());

describe('what a function returns', () => {
  it.each([
    ['POST', 'add', { a: 1 }, 200, '2'],
    ['POST', 'add', { a: 1, b: 5 }, 200, '6'],
    ['GET', 'add?a=1&b=5', undefined, 200, '6'],
    ['POST', 'greet', { name: 'Zé' }, 200, '"Olá, Zé"'],
    ['GET', 'greet?name=Z%C3%A9+x', undefined, 200, '"Olá, Zé x"'],
    ['GET', 'greet?name=eq(0).text()', undefined, 200, '"Olá, eq(0).text()"'],
    ['GET', 'greet?name=in(a).b', undefined, 200, '"Olá, in(a).b"'],
    ['POST', 'greet', { name: null }, 200, 'null'],
    ['POST', 'nothing', undefined, 204, ''],
    ['POST', 'nothing', {}, 204, ''],
    ['GET', 'numbers?up_to=3', undefined, 200, '[1, 2, 3]'],
    ['GET', 'numbers?up_to=0', undefined, 200, '[]'],
    ['GET', 'one_out', undefined, 200, '{"answer":42}'],
    ['POST', 'join_all', { words: ['a', 'b'] }, 200, '"a-b"'],
    ['GET', 'join_all?words=a&words=b,{', undefined, 200, '"a-b,{"'],
    ['POST', 'sum_list', { numbers: [1, 2, 3] }, 200, '6'],
    ['GET', 'sum_list?numbers={1,2}', undefined, 200, '3'],
    ['POST', 'echo', [1, { a: 2 }], 200, '[1,{"a":2}]'],
    ['POST', 'echo', [{ a: 1 }, { a: 2 }], 200, '[{"a":1},{"a":2}]'],
    // Of a list of arguments the first one counts.
    [
      'POST',
      'add',
      [
        { a: 1, b: 2 },
        { a: 5, b: 5 },
      ],
      200,
      '3',
    ],
    ['POST', 'add?columns=a', [{ a: 1, b: 9 }, { b: 5 }], 200, '2'],
    ['POST', 'add', [], 404, expect.stringContaining('PGRST202')],
    ['POST', 'add', [{ a: 1 }, { b: 2 }], 404, expect.stringContaining('PGRST202')],
    ['GET', 'pair?x=eq.2&select=y', undefined, 200, '[{"y":"dois"}]'],
  ])('%s %s %j', async (method, path, body, status, text) => {
    const answer = await rest.ask(method, `/rpc/${path}`, { body });
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  it('takes a text body as the one unnamed argument', async () => {
    const answer = await rest.ask('POST', '/rpc/shout', {
      body: 'oi',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.json).toBe('OI');
  });

  it('takes a whole JSON body as text where its only argument has the empty name, as supabase-js sends it', async () => {
    const answer = await rest.ask('POST', '/rpc/shout', { body: { '': 'oi' } });
    expect([answer.status, answer.json]).toEqual([200, '{"":"OI"}']);
    const more = await rest.ask('POST', '/rpc/shout', { body: { '': 'oi', b: 1 } });
    expect([more.status, more.json]).toMatchObject([404, { code: 'PGRST202' }]);
  });

  it('takes bytes and XML as they are', async () => {
    const send = async (name: string, type: string, body: string | Buffer) =>
      (await rest.ask('POST', `/rpc/${name}`, { body, headers: { 'content-type': type } })).json;
    expect(await send('count_bytes', 'application/octet-stream', Buffer.from([0, 255, 13]))).toBe(3);
    expect(await send('element', 'text/xml', '<casa><porta/></casa>')).toBe('casa');
    expect(await send('count_bytes', 'text/plain', 'x')).toEqual({
      code: 'PGRST202',
      message: 'Could not find the function workshop.count_bytes in the schema cache',
      details:
        'Searched for the function workshop.count_bytes with a single unnamed text parameter, but no matches were found in the schema cache.',
      hint: null,
    });
  });

  it('has no body on HEAD', async () => {
    const answer = await rest.ask('HEAD', '/rpc/pair', { headers: { prefer: 'count=exact' } });
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([200, '', '0-1/2']);
  });
});

describe('a function that changes nothing', () => {
  it.each([
    ['refuse_all', 403],
    ['refuse_a_value', 403],
    ['closed', 401],
    ['closed_value', 401],
  ])('is called also where nobody looks at its value: %s is %i', async (name, status) => {
    const answers = await Promise.all(
      ['POST', 'GET', 'HEAD'].map((method) => rest.ask(method, `/rpc/${name}`)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
  });
});

describe('rows of a relation', () => {
  it('are filtered, shaped, ordered, limited, counted and joined', async () => {
    const answer = await rest.ask(
      'POST',
      '/rpc/find_projects?select=name,clients(name)&budget=gt.1&order=id.desc&limit=1',
      {
        body: { term: 'o' },
        headers: { prefer: 'count=exact' },
      },
    );
    expect([answer.status, answer.headers['content-range']]).toEqual([206, '0-0/2']);
    expect(answer.json).toEqual([{ name: 'Avulso', clients: null }]);
  });

  it('are one object when the function returns one', async () => {
    const answer = await rest.ask('GET', '/rpc/first_project?select=id,clients(name)');
    expect(answer.json).toEqual({ id: 1, clients: { name: 'Padaria Ação' } });
  });

  it('must be one when a single object is asked for', async () => {
    const headers = { accept: 'application/vnd.pgrst.object+json' };
    expect((await rest.ask('GET', '/rpc/find_projects?term=Forno&select=id', { headers })).json).toEqual({
      id: 1,
    });
    const none = await rest.ask('GET', '/rpc/find_projects?term=zzz', { headers });
    expect([none.status, none.json]).toMatchObject([
      406,
      { code: 'PGRST116', details: 'The result contains 0 rows' },
    ]);
  });
});

describe('reading and writing', () => {
  it('GET cannot write', async () => {
    const answer = await rest.ask('GET', '/rpc/make_client?name=aa');
    expect([answer.status, answer.json]).toMatchObject([405, { code: '25006' }]);
  });

  it('POST can', async () => {
    const answer = await rest.ask('POST', '/rpc/make_client?select=name', { body: { name: 'bb' } });
    expect([answer.status, answer.json]).toEqual([200, { name: 'bb' }]);
  });

  it('knows no other method', async () => {
    const answer = await rest.ask('DELETE', '/rpc/nothing');
    expect([answer.status, answer.json]).toMatchObject([405, { code: 'PGRST101' }]);
  });
});

describe('functions that cannot be called', () => {
  it('offers a near name, or near parameters', async () => {
    const name = await rest.ask('POST', '/rpc/gret', { body: { name: 'x' } });
    expect(name.status).toBe(404);
    expect(name.json).toEqual({
      code: 'PGRST202',
      message: 'Could not find the function workshop.gret(name) in the schema cache',
      details:
        'Searched for the function workshop.gret with parameter name or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function workshop.greet',
    });
    const parameter = await rest.ask('GET', '/rpc/greet?nme=x');
    expect(parameter.json).toMatchObject({
      details:
        'Searched for the function workshop.greet with parameter nme, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function workshop.greet(name)',
    });
  });

  it('takes the first line of CSV for arguments, and never hands it on whole', async () => {
    const headers = { 'content-type': 'text/csv' };
    const send = (name: string) => rest.ask('POST', `/rpc/${name}`, { body: 'a,b\n1,2\n4,6', headers });
    expect((await send('add')).json).toBe(3);
    const refused = await send('echo');
    expect([refused.status, refused.json]).toMatchObject([
      404,
      {
        code: 'PGRST202',
        details:
          'Searched for the function workshop.echo with parameters a, b, but no matches were found in the schema cache.',
      },
    ]);
  });

  it('says of a form that it was no JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await rest.ask('POST', '/rpc/greet', { body: 'nam=x&b=1', headers });
    expect([answer.status, answer.json]).toMatchObject([
      404,
      {
        message: 'Could not find the function workshop.greet(b, nam) in the schema cache',
        details:
          'Searched for the function workshop.greet with parameters b, nam, but no matches were found in the schema cache.',
      },
    ]);
  });

  it.each(['half', 'merge', 'title_words'])('knows no %s, whose arguments have no names', async (name) => {
    const answer = await rest.ask('POST', `/rpc/${name}`, { body: {} });
    expect([answer.status, answer.json]).toMatchObject([404, { code: 'PGRST202' }]);
  });

  it('names overloads in their order, those with few parameters first', async () => {
    const one = await rest.ask('GET', '/rpc/varied?a=1');
    expect([one.status, one.json]).toMatchObject([
      300,
      {
        message:
          'Could not choose the best candidate function between: workshop.varied(a => integer), workshop.varied(a => xml)',
      },
    ]);
    const two = await rest.ask('GET', '/rpc/varied?a=1&b=2');
    expect(two.json).toMatchObject({
      message:
        'Could not choose the best candidate function between: workshop.varied(a => text, b => integer), workshop.varied(a => text, b => integer, c => integer)',
    });
    expect((await rest.ask('GET', '/rpc/varied?a=1&b=2&c=3')).json).toBe('123');
  });

  it('refuses what was once a preference, where handling is strict', async () => {
    const prefer = 'params=multiple-objects';
    const lenient = await rest.ask('POST', '/rpc/add', { body: [{ a: 1 }, { a: 2 }], headers: { prefer } });
    expect([lenient.status, lenient.json]).toEqual([200, 2]);
    const strict = await rest.ask('POST', '/rpc/add', {
      body: [{ a: 1 }],
      headers: { prefer: `${prefer}, handling=strict` },
    });
    expect([strict.status, strict.json]).toMatchObject([
      400,
      { code: 'PGRST122', details: 'Invalid preferences: params=multiple-objects' },
    ]);
  });

  it('does not guess between overloads', async () => {
    const answer = await rest.ask('POST', '/rpc/twice', { body: { value: 2 } });
    expect([answer.status, answer.json]).toMatchObject([
      300,
      {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: workshop.twice(value => integer), workshop.twice(value => text)',
      },
    ]);
  });
});

describe('functions that answer for themselves', () => {
  it.each([
    ['P0001', 400],
    ['PT400', 400],
    ['PT404', 404],
    ['PT409', 409],
    ['PT999', 500],
    ['22000', 400],
    ['23505', 409],
    ['42501', 401],
    ['28000', 403],
    ['57014', 500],
    ['54000', 400],
    ['40001', 500],
  ])('SQLSTATE %s becomes %i', async (state, status) => {
    const answer = await rest.ask('POST', '/rpc/fail', { body: { state, words: 'palavras' } });
    expect([answer.status, answer.json]).toEqual([
      status,
      { code: state, message: 'palavras', details: 'detalhe', hint: 'dica' },
    ]);
  });

  it('give the status line their message', async () => {
    const raise = (state: string, words: string) => rest.ask('POST', '/rpc/fail', { body: { state, words } });
    expect((await raise('PT402', 'Pague antes')).statusText).toBe('Pague antes');
    expect((await raise('PT402', 'Ação\nSet-Cookie: a=b')).statusText).toBe('Payment Required');
    expect((await raise('P0001', 'Pague antes')).statusText).toBe('Bad Request');
  });

  it('raise a whole answer', async () => {
    const answer = await rest.ask('POST', '/rpc/answer_itself');
    expect([answer.status, answer.headers['x-powered-by'], answer.json]).toEqual([
      402,
      'Linkoteca',
      { code: '123', message: 'Pagamento pendente', details: 'd', hint: 'h' },
    ]);
  });

  it('raise the words of the status line, too', async () => {
    const message = '{"code": "X", "message": "m"}';
    const raise = (detail: string) => rest.ask('POST', '/rpc/answer_badly', { body: { message, detail } });
    const answer = await raise('{"status": 419, "status_text": "Pagina vencida", "headers": {}}');
    expect([answer.status, answer.statusText, answer.json]).toEqual([
      419,
      'Pagina vencida',
      { code: 'X', message: 'm', details: null, hint: null },
    ]);
    expect((await raise('{"status": 404, "status_text": null, "headers": {}}')).statusText).toBe('Not Found');
  });

  const DETAIL_FORM =
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";
  const MESSAGE_FORM =
    "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.";
  const GOOD = '{"code": "1", "message": "m"}';
  it.each<[string, string | null, string, string]>([
    ['oi', '{}', "Invalid JSON value for MESSAGE: 'oi'", MESSAGE_FORM],
    [
      '{"code": 1, "message": "m"}',
      null,
      `Invalid JSON value for MESSAGE: '{"code": 1, "message": "m"}'`,
      MESSAGE_FORM,
    ],
    ['[]', '{}', "Invalid JSON value for MESSAGE: '[]'", MESSAGE_FORM],
    [GOOD, null, 'DETAIL is missing in the RAISE statement', DETAIL_FORM],
    ...[
      'oi',
      '{"status": 400}',
      '{"status": "400", "headers": {}}',
      '{"status": 99, "headers": {}}',
      '{"status": 400, "headers": {"a": 1}}',
      '{"status": 400, "headers": {"a b": "c"}}',
      '{"status": 400, "headers": {"a": "b\\nc: d"}}',
      '{"status": 400, "status_text": "a\\r\\nb: c", "headers": {}}',
    ].map((detail): [string, string, string, string] => [
      GOOD,
      detail,
      `Invalid JSON value for DETAIL: '${detail}'`,
      DETAIL_FORM,
    ]),
  ])('raise %j with %j, which cannot be read', async (message, detail, details, hint) => {
    const answer = await rest.ask('POST', '/rpc/answer_badly', { body: { message, detail } });
    expect([answer.status, answer.json]).toEqual([
      500,
      {
        code: 'PGRST121',
        message: 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error',
        details,
        hint,
      },
    ]);
  });

  it('set status and headers', async () => {
    const answer = await rest.ask('POST', '/rpc/teapot');
    expect([answer.status, answer.headers['x-tea'], answer.headers['set-cookie'], answer.json]).toEqual([
      418,
      'mate',
      ['a=1', 'b=2'],
      'bule',
    ]);
    expect((await rest.ask('POST', '/rpc/greet', { body: { name: 'x' } })).status).toBe(200);
  });
});
