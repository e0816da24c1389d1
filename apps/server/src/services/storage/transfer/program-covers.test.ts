import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';

let files: FilesBench;
let person: Person;
let linkId: string;
const clientId = randomUUID();
beforeAll(async () => {
  files = await startFiles();
  await files.database.admin.query(
    `insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method, client_type)
     values ($1, 'manual', 'https://programa.test/', 'authorization_code', 'none', 'public')`,
    [clientId],
  );
});
afterAll(() => files.stop());
beforeEach(async () => {
  person = await files.createPerson();
  linkId = randomUUID();
  await files.database.admin.query(
    `with f as (insert into public.folders (name, user_id) values ('Pasta', $1) returning id),
       c as (insert into public.categories (name, folder_id, user_id) select 'Categoria', id, $1 from f returning id)
     insert into public.links (id, url, title, category_id, user_id) select $2, 'https://a.example/', 'A', id, $1 from c`,
    [person.id, linkId],
  );
});

const WEBP = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1');
const nameOf = (id = linkId) => `${person.id}/covers/${id}`;

/** The token of a program that the person has let do this much. */
async function letIn(scopes: string): Promise<string> {
  const session = randomUUID();
  await files.database.admin.query(
    'insert into auth.sessions (id, user_id, oauth_client_id, scopes) values ($1, $2, $3, $4)',
    [session, person.id, clientId, scopes],
  );
  const iat = Math.floor(Date.now() / 1000);
  const claims = { sub: person.id, role: 'authenticated', session_id: session, client_id: clientId };
  return files.keyring.signAccessToken({ ...claims, iat, exp: iat + 3600 });
}
const send = (
  as: string,
  path = `/object/arquivos/${nameOf()}`,
  { method = 'POST', type = 'image/webp', body = WEBP } = {},
) => files.ask(method, path, { as, headers: { 'content-type': type }, body });

describe('a program', () => {
  it('that may change links sends a link’s cover, and its person reads it', async () => {
    const token = await letIn('links:read links:write');
    expect((await send(token)).status).toBe(200);
    const read = await files.ask('GET', `/object/authenticated/arquivos/${nameOf()}`, { as: person });
    expect(Buffer.from(await read.arrayBuffer())).toEqual(WEBP);
    // Once it is there it is not written over by accident.
    expect(await (await send(token)).json()).toMatchObject({ statusCode: '409' });
    expect((await send(token, undefined, { method: 'PUT' })).status).toBe(200);
  });

  it('keeps no byte of anything else', async () => {
    const token = await letIn('links:read links:write share');
    const before = await files.countBlobs();
    const refused = { statusCode: '403' };
    for (const path of [`/object/arquivos/${person.id}/a.webp`, `/object/arquivos/${nameOf(randomUUID())}`])
      expect(await (await send(token, path)).json(), path).toMatchObject(refused);
    const sign = { as: token, headers: { 'content-type': 'application/json' }, body: '{}' };
    const signed = await files.ask('POST', `/object/upload/sign/arquivos/${nameOf()}`, sign);
    expect(await signed.json()).toMatchObject(refused);
    for (const wish of [{ type: 'text/html' }, { type: 'image/svg+xml' }, { body: Buffer.alloc(131_073) }])
      expect(await (await send(token, undefined, wish)).json()).toMatchObject(refused);
    expect(await files.countBlobs()).toBe(before);
  });

  it('reads, lists and removes nothing', async () => {
    const token = await letIn('links:read links:write share');
    await send(token);
    const file = `/object/authenticated/arquivos/${nameOf()}`;
    expect(await (await files.ask('GET', file, { as: token })).json()).toMatchObject({ statusCode: '404' });
    const json = { 'content-type': 'application/json' };
    const list = { as: token, headers: json, body: JSON.stringify({ prefix: `${person.id}/covers` }) };
    expect(await (await files.ask('POST', '/object/list/arquivos', list)).json()).toEqual([]);
    const remove = { as: token, headers: json, body: JSON.stringify({ prefixes: [nameOf()] }) };
    expect(await (await files.ask('DELETE', '/object/arquivos', remove)).json()).toEqual([]);
    expect((await files.ask('GET', file, { as: person })).status).toBe(200);
  });

  it('that may only read links, or whose leave was taken back, sends none', async () => {
    const reading = await letIn('links:read');
    const revoked = await letIn('links:write');
    await files.database.admin.query(
      `delete from auth.sessions where user_id = $1 and scopes = 'links:write'`,
      [person.id],
    );
    for (const token of [reading, revoked])
      expect(await (await send(token)).json()).toMatchObject({ statusCode: '403' });
  });
});
