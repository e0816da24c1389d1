import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createPerson } from './support/create-person.ts';
import { createOperator, createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';
import { type Deployment, type RunningDeployment, startDeployment } from './support/start-deployment.ts';

let running: RunningDeployment;
let deployment: Deployment;
beforeAll(async () => {
  running = await startDeployment({
    SUPABASE_AUTH_SMS_ENABLE_SIGNUP: 'true',
    SUPABASE_AUTH_SMS_MAX_FREQUENCY: '0s',
    SUPABASE_AUTH_SMS_TEMPLATE: 'Código: {{ .Code }}',
  });
  deployment = running.deployment;
});
afterAll(() => running.remove());

const newNumber = () => `+5511${randomInt(10 ** 8, 10 ** 9)}`;
const newPassword = () => `senha-${randomUUID()}`;

type Stored = { readonly to: string; readonly subject: string; readonly text: string };

/** What `/dev/mail` shows of a number, the newest first. */
async function readTexts(number: string): Promise<Stored[]> {
  const stored = (await (await fetch(`${deployment.url}/dev/mail.json`)).json()) as Stored[];
  return stored.filter(({ to }) => to === number);
}

/** Until so many are there: the answer of a request waits for its text only for a moment. */
async function waitForTexts(number: string, count: number): Promise<Stored[]> {
  await expect.poll(async () => (await readTexts(number)).length, { timeout: 15_000 }).toBe(count);
  return readTexts(number);
}

/** The newest code for a number, which is to have so many by now. */
async function readCode(number: string, count = 1): Promise<string> {
  const [text] = await waitForTexts(number, count);
  return /^Código: (\d{6})$/.exec(required(text).text)?.[1] ?? '';
}

test('a person signs up by phone, has a library, and comes back with the password', async () => {
  const [phone, password] = [newNumber(), newPassword()];
  const visitor = createVisitor(deployment);
  const signedUp = await visitor.auth.signUp({ phone, password, options: { data: { name: 'Ana' } } });
  expect(signedUp.data.session).toBeNull();
  const early = await visitor.auth.signInWithPassword({ phone, password });
  expect(early.error).toMatchObject({ code: 'phone_not_confirmed', status: 400 });
  expect((await visitor.auth.resend({ type: 'sms', phone })).error).toBeNull();
  const verified = await visitor.auth.verifyOtp({ phone, token: await readCode(phone, 2), type: 'sms' });
  const user = required(verified.data.user, verified.error);
  expect(user).toMatchObject({ phone: phone.slice(1), user_metadata: { name: 'Ana' } });
  expect((await visitor.from('profiles').select('id, name, plan')).data).toEqual([
    { id: user.id, name: 'Ana', plan: 'free' },
  ]);
  const folder = await visitor.from('folders').insert({ name: 'Minha' }).select('id').single();
  const { id } = required<{ id: string }>(folder.data, folder.error);

  const elsewhere = createVisitor(deployment);
  await elsewhere.auth.signInWithPassword({ phone, password });
  expect((await elsewhere.from('folders').select('id')).data).toEqual([{ id }]);
  const { client: stranger } = await createPerson(deployment);
  expect((await stranger.from('folders').select('id').eq('id', id)).data).toEqual([]);
});

test('a code signs in, by WhatsApp as well; a wrong one, or another number’s, does not', async () => {
  const phone = newNumber();
  const visitor = createVisitor(deployment);
  const asked = await visitor.auth.signInWithOtp({ phone, options: { channel: 'whatsapp' } });
  expect([asked.error, asked.data]).toEqual([null, { user: null, session: null, messageId: undefined }]);
  expect(await waitForTexts(phone, 1)).toMatchObject([{ subject: 'Mensagem de WhatsApp' }]);
  const token = await readCode(phone);
  const other = await visitor.auth.verifyOtp({ phone: newNumber(), token, type: 'sms' });
  expect(other.error).toMatchObject({ code: 'otp_expired', status: 403 });
  const { data } = await visitor.auth.verifyOtp({ phone, token, type: 'sms' });
  expect(data.session?.user.phone).toBe(phone.slice(1));

  const unknown = newNumber();
  const options = { shouldCreateUser: false };
  expect((await visitor.auth.signInWithOtp({ phone: unknown, options })).error).toBeNull();
  expect(await readTexts(unknown)).toEqual([]);
});

test('an account by e-mail gets a number, and changes it, by the codes that the numbers get', async () => {
  const { client, id, password } = await createPerson(deployment);
  for (const phone of [newNumber(), newNumber()]) {
    const asked = await client.auth.updateUser({ phone });
    expect(required(asked.data.user, asked.error).new_phone).toBe(phone.slice(1));
    const token = await readCode(phone);
    const { data, error } = await client.auth.verifyOtp({ phone, token, type: 'phone_change' });
    expect(required(data.user, error)).toMatchObject({ id, phone: phone.slice(1) });
    const signedIn = await createVisitor(deployment).auth.signInWithPassword({ phone, password });
    expect(signedIn.data.user?.id).toBe(id);
    const next = newNumber();
    await client.auth.updateUser({ phone: next });
    expect((await client.auth.resend({ type: 'phone_change', phone })).error).toBeNull();
    expect(await waitForTexts(next, 2)).toHaveLength(2);
  }
});

test('an operator opens an account with a number; nobody else does, nor takes it', async () => {
  const [phone, password] = [newNumber(), newPassword()];
  const wanted = { phone, password, phone_confirm: true };
  const { client: stranger } = await createPerson(deployment);
  expect((await stranger.auth.admin.createUser(wanted)).error).toMatchObject({ status: 403 });
  const made = await createOperator(deployment).auth.admin.createUser(wanted);
  const { id } = required(made.data.user, made.error);
  expect((await createVisitor(deployment).auth.signInWithPassword({ phone, password })).data.user?.id).toBe(
    id,
  );
  expect((await stranger.auth.updateUser({ phone })).error).toBeNull();
  expect(await readTexts(phone)).toEqual([]);
  expect((await createOperator(deployment).auth.admin.createUser(wanted)).error).toMatchObject({
    code: 'phone_exists',
  });
});

test('an installation that does not offer it says so, and sends nothing', async () => {
  const visitor = createVisitor(inject('deployment'));
  for (const answer of [
    await visitor.auth.signInWithOtp({ phone: newNumber() }),
    await visitor.auth.signUp({ phone: newNumber(), password: newPassword() }),
    await visitor.auth.signInWithPassword({ phone: newNumber(), password: newPassword() }),
  ])
    expect(answer.error).toMatchObject({ code: 'phone_provider_disabled', status: 400 });
});
