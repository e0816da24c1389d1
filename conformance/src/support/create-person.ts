import { randomUUID } from 'node:crypto';
import { findLink, waitForMail } from '@linkoteca/server-process/read-mails';
import { type Client, createOperator, createVisitor } from './create-visitor.ts';
import { required } from './required.ts';
import type { Deployment } from './start-deployment.ts';

export type Person = {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** Signed in. */
  readonly client: Client;
};

export type PersonOptions = { readonly name?: string; readonly plan?: 'free' | 'plus' | 'pro' };

/** Walks the whole way in: sign up, open the link of the mail, sign in; a paid plan arrives as the webhook writes it. */
export async function createPerson(deployment: Deployment, options: PersonOptions = {}): Promise<Person> {
  const { name = 'Ana Souza', plan = 'free' } = options;
  const email = `ana-${randomUUID()}@example.com`;
  const password = `senha-${randomUUID()}`;
  const client = createVisitor(deployment);
  const signedUp = await client.auth.signUp({ email, password, options: { data: { name } } });
  if (signedUp.error !== null) throw signedUp.error;
  await confirmByMail(deployment, email);
  const signedIn = await client.auth.signInWithPassword({ email, password });
  const id = required(signedIn.data.user, signedIn.error).id;
  if (plan !== 'free') await subscribe(deployment, id, plan);
  return { id, email, password, client };
}

/** Opens the newest confirmation link as a mail program would, without following it into the app. */
export async function confirmByMail(deployment: Deployment, email: string): Promise<Response> {
  const mail = await waitForMail(deployment.dataFolder, email);
  return fetch(findLink(mail, '/auth/v1/verify'), { redirect: 'manual' });
}

async function subscribe(deployment: Deployment, userId: string, plan: 'plus' | 'pro'): Promise<void> {
  const { error } = await createOperator(deployment)
    .from('subscribers')
    .upsert({ user_id: userId, plan, subscription_status: 'active' });
  if (error !== null) throw error;
}
