import { randomUUID } from 'node:crypto';
import type pg from 'pg';

export type TestUser = { readonly id: string; readonly email: string };

export type NewUser = {
  /** Made up when missing. */
  readonly email?: string;
  /** A paid plan comes with an active subscription; missing means free. */
  readonly plan?: 'free' | 'plus' | 'pro';
  readonly name?: string;
};

/** Inserts a confirmed account straight into auth.users; its profile and counters appear by the product's triggers. */
export async function createUser(admin: pg.Pool | pg.Client, wish: NewUser = {}): Promise<TestUser> {
  const id = randomUUID();
  const { email = `${id}@exemplo.com.br`, plan = 'free', name = 'Maria' } = wish;
  await admin.query(
    `insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_app_meta_data,
       raw_user_meta_data, created_at, updated_at)
     values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, now(),
       '{"provider":"email","providers":["email"]}', json_build_object('name', $3::text), now(), now())`,
    [id, email, name],
  );
  if (plan !== 'free') await setPlan(admin, id, plan);
  return { id, email };
}

/** Writes the subscription as the payment webhook would: the profile's plan follows by trigger. */
export async function setPlan(
  admin: pg.Pool | pg.Client,
  userId: string,
  plan: 'free' | 'plus' | 'pro',
): Promise<void> {
  await admin.query(
    `insert into public.subscribers (user_id, plan, subscription_status) values ($1, $2, $3)
     on conflict (user_id) do update set plan = excluded.plan, subscription_status = excluded.subscription_status`,
    [userId, plan, plan === 'free' ? 'canceled' : 'active'],
  );
}
