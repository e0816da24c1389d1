import { expect } from 'vitest';
import { call, type Reply } from './call-service.ts';
import { codeTextedTo, newPhone } from './phones.ts';
import type { Tokens } from './sign-people-in.ts';
import type { TestService } from './start-auth-service.ts';

type Session = Pick<Tokens, 'access_token'>;
export type PhoneFactor = { readonly factorId: string; readonly phone: string };

/** Begins to add a phone. */
export async function enrollPhone(
  service: TestService,
  { access_token: token }: Session,
  wish: { readonly phone?: string; readonly name?: string } = {},
): Promise<PhoneFactor> {
  const phone = wish.phone ?? newPhone();
  const body = { factor_type: 'phone', phone: `+${phone}`, friendly_name: wish.name ?? '' };
  const reply = await call(service, 'POST /factors', { token, body });
  expect(reply).toMatchObject({ status: 200, body: { type: 'phone', phone: `+${phone}` } });
  return { factorId: (reply.body as { id: string }).id, phone };
}

/** Has a code texted. */
export function askPhone(
  service: TestService,
  { access_token: token }: Session,
  { factorId }: Pick<PhoneFactor, 'factorId'>,
  from: { readonly ip?: string; readonly channel?: string } = {},
): Promise<Reply> {
  const { channel, ...rest } = from;
  const body = channel === undefined ? {} : { channel };
  return call(service, `POST /factors/${factorId}/challenge`, { token, body, ...rest });
}

export function answerPhone(
  service: TestService,
  { access_token: token }: Session,
  { factorId }: Pick<PhoneFactor, 'factorId'>,
  answer: { readonly challenge_id: string; readonly code: string },
): Promise<Reply> {
  return call(service, `POST /factors/${factorId}/verify`, { token, body: answer });
}

/** Has a code texted. @returns the challenge's id, and the code */
export async function challengePhone(service: TestService, session: Session, factor: PhoneFactor) {
  const reply = await askPhone(service, session, factor);
  expect(reply).toMatchObject({ status: 200, body: { type: 'phone' } });
  return { challenge_id: (reply.body as { id: string }).id, code: codeTextedTo(service, factor.phone) };
}

/** Adds a phone and proves it. @returns it, and the session of the second level */
export async function addPhone(
  service: TestService,
  session: Session,
  wish: { readonly phone?: string; readonly name?: string } = {},
): Promise<{ readonly factor: PhoneFactor; readonly tokens: Tokens }> {
  const factor = await enrollPhone(service, session, wish);
  const reply = await answerPhone(service, session, factor, await challengePhone(service, session, factor));
  expect(reply).toMatchObject({ status: 200 });
  return { factor, tokens: reply.body as Tokens };
}
