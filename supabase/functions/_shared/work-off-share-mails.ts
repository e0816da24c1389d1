import { type ShareMail, writeShareMail } from '../../../packages/domain/src/share-mail.ts';

/** A row of `claim_share_notifications`. */
export type DueShareMail = {
  readonly id: string;
  readonly category_id: string;
  readonly email: string;
  readonly category_name: string;
  readonly description: string | null;
  readonly owner_name: string | null;
  readonly unsubscribe_token: string;
};

export type ShareMailOutcome = 'sent' | 'refused' | 'retry';

/** The queue in the database (supabase/migrations/20261121102403_work_off_share_notifications.sql). */
export type ShareMailQueue = {
  claim(max: number): Promise<readonly DueShareMail[]>;
  begin(id: string): Promise<boolean>;
  finish(id: string, outcome: ShareMailOutcome): Promise<unknown>;
};

/**
 * What became of a mail. `deferred`: surely not sent, this one may go later. `unreachable`: surely not sent, and nothing else
 * goes now. `unknown`: it may have arrived.
 */
export type Delivery = 'sent' | 'refused' | 'deferred' | 'unreachable' | 'unknown';

export type WorkOffDeps = {
  readonly queue: ShareMailQueue;
  /** Never rejects. */
  readonly deliver: (mail: ShareMail, id: string) => Promise<Delivery>;
  readonly siteUrl: string;
  readonly functionsUrl: string;
  /** Outcomes that the database has not heard of yet; the caller keeps it from one call to the next. */
  readonly unrecorded: Map<string, ShareMailOutcome>;
  readonly shouldStop?: () => boolean;
};

/** Few at a time: what one worker holds, no other can send. */
const BATCH = 10;

/**
 * Sends what is due until nothing is, or the mail server does not take any more. What is claimed and not sent goes back into the
 * queue. A mail of which nobody knows is left alone: its lease runs out, and the database never hands it out again.
 * @returns how many were sent. @throws when the database cannot be asked.
 */
export async function workOffShareMails(deps: WorkOffDeps): Promise<number> {
  const { queue, shouldStop = () => false } = deps;
  await record(deps);
  let sent = 0;
  let isTaken = true;
  while (isTaken && !shouldStop()) {
    const due = await queue.claim(BATCH);
    if (due.length === 0) break;
    for (const mail of due) {
      const delivery: Delivery | 'withdrawn' =
        isTaken && !shouldStop() ? await send(deps, mail) : 'unreachable';
      if (delivery === 'sent') sent += 1;
      isTaken &&= delivery !== 'unreachable' && delivery !== 'unknown';
      const outcome = toOutcome(delivery);
      if (outcome) deps.unrecorded.set(mail.id, outcome);
      await record(deps);
    }
  }
  return sent;
}

/** What must not be sent any more is nobody's again by then. */
async function send(deps: WorkOffDeps, mail: DueShareMail): Promise<Delivery | 'withdrawn'> {
  const { queue, deliver, siteUrl, functionsUrl } = deps;
  if (!(await queue.begin(mail.id))) return 'withdrawn';
  const letter = writeShareMail({
    email: mail.email,
    categoryId: mail.category_id,
    categoryName: mail.category_name,
    description: mail.description,
    ownerName: mail.owner_name,
    unsubscribeToken: mail.unsubscribe_token,
    siteUrl,
    functionsUrl,
  });
  return await deliver(letter, mail.id);
}

function toOutcome(delivery: Delivery | 'withdrawn'): ShareMailOutcome | undefined {
  if (delivery === 'sent' || delivery === 'refused') return delivery;
  return delivery === 'deferred' || delivery === 'unreachable' ? 'retry' : undefined;
}

async function record({ queue, unrecorded }: WorkOffDeps): Promise<void> {
  for (const [id, outcome] of unrecorded) {
    await queue.finish(id, outcome);
    unrecorded.delete(id);
  }
}
