import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Reply } from '../test-support/call-service.ts';
import {
  createPerson,
  follow,
  linkMailedTo,
  newEmail,
  readFragment,
  signIn,
  type Tokens,
} from '../test-support/sign-people-in.ts';
import {
  PASSWORD,
  SITE_URL,
  startAuthService,
  type TestService,
} from '../test-support/start-auth-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.stop());

const asOperator = (line: string, body?: object): Promise<Reply> =>
  call(service, line, { token: service.keyring.serviceRoleKey, ...(body ? { body } : {}) });

describe('a generated link', () => {
  const generate = (body: object) => asOperator('POST /admin/generate_link', body);

  it('works like the mailed one, but nothing is mailed', async () => {
    const { email } = await createPerson(service);
    const before = service.mails.length;
    const reply = await generate({ type: 'recovery', email, redirect_to: `${SITE_URL}/change-password` });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        email,
        verification_type: 'recovery',
        redirect_to: `${SITE_URL}/change-password`,
        email_otp: expect.stringMatching(/^\d{6}$/),
        hashed_token: expect.stringMatching(/^[0-9a-f]{56}$/),
      },
    });
    const arrival = await follow(service, new URL((reply.body as { action_link: string }).action_link));
    expect(arrival.pathname).toBe('/change-password');
    expect(service.mails).toHaveLength(before);
  });

  it('has the address to go to as GoTrue writes it, plain unless that would end it', async () => {
    const { email } = await createPerson(service);
    for (const [redirect_to, written] of [
      [`${SITE_URL}/bem-vinda`, `${SITE_URL}/bem-vinda`],
      [`${SITE_URL}/?a=1&token=2#b`, encodeURIComponent(`${SITE_URL}/?a=1&token=2#b`)],
      [`${SITE_URL}/%22%3E?a`, `${SITE_URL}/%2522%253E%3Fa`],
    ]) {
      const reply = await generate({ type: 'recovery', email, redirect_to });
      const { action_link, redirect_to: told } = reply.body as { action_link: string; redirect_to: string };
      expect(action_link.split('&redirect_to=')[1]).toBe(written);
      expect(new URL(action_link).searchParams.get('redirect_to')).toBe(told);
    }
  });

  it('makes a sign-up of a magic link for an unknown address', async () => {
    const email = newEmail();
    const reply = await generate({ type: 'magiclink', email });
    expect(reply.body).toMatchObject({ email, verification_type: 'signup' });
    const arrival = await follow(service, new URL((reply.body as { action_link: string }).action_link));
    expect(readFragment(arrival)['type']).toBe('signup');
  });

  it('leads through both halves of a change of address', async () => {
    const { email } = await createPerson(service);
    const new_email = newEmail();
    const links: string[] = [];
    for (const type of ['email_change_current', 'email_change_new'])
      links.push(((await generate({ type, email, new_email })).body as { action_link: string }).action_link);
    for (const link of links) await follow(service, new URL(link));
    await signIn(service, new_email);
  });

  it.each([
    ['email_change_current', 'email_change_new'],
    ['email_change_new', 'email_change_current'],
  ])('of %s agrees for one address alone, however often it is made', async (type, other) => {
    const { id, email } = await createPerson(service);
    const new_email = newEmail();
    const agree = async (half: string) => {
      const { body } = await generate({ type: half, email, new_email });
      return readFragment(await follow(service, new URL((body as { action_link: string }).action_link)));
    };
    for (const _time of ['once', 'again'])
      expect((await agree(type))['message']).toMatch(/^Confirmation link accepted\./);
    expect((await asOperator(`GET /admin/users/${id}`)).body).toMatchObject({ email, new_email });
    expect((await agree(other))['type']).toBe('email_change');
    await signIn(service, new_email);
  });

  it.each([
    [{ type: 'recovery', email: 'ninguem@exemplo.test' }, 404, 'user_not_found'],
    [{ type: 'outro', email: 'ninguem@exemplo.test' }, 404, 'user_not_found'],
    [{ type: 'signup', email: 'ninguem@exemplo.test' }, 400, 'validation_failed'],
    [{ type: 'recovery', email: 'x' }, 400, 'validation_failed'],
    [{ type: 'email_change_new', email: 'a@b.test' }, 400, 'validation_failed'],
  ])('%j is refused', async (body, status, code) => {
    expect(await generate(body)).toMatchObject({ status, body: { code } });
  });
});

describe('an invitation', () => {
  it('is mailed, and leads to the page where its receiver chooses a password; opening that spends nothing', async () => {
    const email = newEmail();
    const reply = await asOperator('POST /invite', { email, data: { name: 'Lia' } });
    expect(reply).toMatchObject({ status: 200, body: { email, invited_at: expect.any(String) } });
    expect(service.mails.at(-1)).toMatchObject({
      to: email,
      subject: 'Você recebeu um convite para a Linkoteca',
    });
    const link = linkMailedTo(service, email);
    expect(link.origin + link.pathname).toBe(`${SITE_URL}/change-password`);
    const { by, ...proof } = Object.fromEntries(link.searchParams);
    expect({ by, ...proof }).toEqual({ by: 'token', token_hash: expect.any(String), type: 'invite' });
    const session = await call(service, 'POST /verify', { body: proof });
    expect(session).toMatchObject({ status: 200, body: { user: { email, user_metadata: { name: 'Lia' } } } });
    const { access_token: token } = session.body as Tokens;
    expect((await call(service, 'PUT /user', { token, body: { password: PASSWORD } })).status).toBe(200);
    await signIn(service, email);
    expect(await call(service, 'POST /verify', { body: proof })).toMatchObject({ status: 403 });
    expect(await asOperator('POST /invite', { email })).toMatchObject({
      status: 422,
      body: { code: 'email_exists' },
    });
  });

  it('to a page of its own is checked first, and signs its receiver in there', async () => {
    const email = newEmail();
    const page = `${SITE_URL}/bem-vinda`;
    await asOperator(`POST /invite?${new URLSearchParams({ redirect_to: page })}`, { email });
    const arrival = await follow(service, linkMailedTo(service, email));
    expect(arrival.origin + arrival.pathname).toBe(page);
    expect(readFragment(arrival)['type']).toBe('invite');
  });

  it('to the site itself leads as one that names no page', async () => {
    const email = newEmail();
    await asOperator(`POST /invite?${new URLSearchParams({ redirect_to: SITE_URL })}`, { email });
    expect(linkMailedTo(service, email).pathname).toBe('/change-password');
  });
});
