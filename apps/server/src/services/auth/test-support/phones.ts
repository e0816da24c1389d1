import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { call } from './call-service.ts';
import type { Tokens } from './sign-people-in.ts';
import { PASSWORD, type TestService } from './start-auth-service.ts';

/** A number that nobody has, as it is stored. */
export function newPhone(): string {
  return `5511${randomInt(10 ** 9)
    .toString()
    .padStart(9, '0')}`;
}

/** Makes an account with a proven number, past text messages and limits. */
export async function createPhonePerson(
  service: TestService,
  wish: { readonly phone?: string } = {},
): Promise<{ readonly id: string; readonly phone: string }> {
  const phone = wish.phone ?? newPhone();
  const created = await call(service, 'POST /admin/users', {
    token: service.keyring.serviceRoleKey,
    body: { phone, password: PASSWORD, phone_confirm: true },
  });
  expect(created.status).toBe(200);
  return { id: (created.body as { id: string }).id, phone };
}

/** The code that the newest text message to a number has. */
export function codeTextedTo({ texts }: TestService, phone: string): string {
  const text = texts.findLast(({ to }) => to === phone);
  expect(text?.text).toContain(text?.code);
  return text?.code ?? '';
}

export function countTextsTo({ texts }: TestService, phone: string): number {
  return texts.filter(({ to }) => to === phone).length;
}

export async function signInByPhone(
  service: TestService,
  phone: string,
  password = PASSWORD,
): Promise<Tokens> {
  const reply = await call(service, 'POST /token?grant_type=password', { body: { phone, password } });
  expect(reply.body).toMatchObject({ token_type: 'bearer' });
  return reply.body as Tokens;
}
