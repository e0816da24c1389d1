import type { RenderedMail } from '../../../packages/domain/src/mail-templates.ts';

export type OutgoingMail = RenderedMail & {
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type MailOutcome = 'sent' | 'refused' | 'retry';

/** A queue in the database: whoever claims holds a mail for some minutes, begins it once, and tells what became of it. */
export type MailQueue<Due extends { readonly id: string }> = {
  claim(max: number): Promise<readonly Due[]>;
  begin(id: string): Promise<boolean>;
  finish(id: string, outcome: MailOutcome): Promise<unknown>;
};

/**
 * What became of a mail. `deferred`: surely not sent, this one may go later. `unreachable`: surely not sent, and nothing else
 * goes now. `unknown`: it may have arrived.
 */
export type Delivery = 'sent' | 'refused' | 'deferred' | 'unreachable' | 'unknown';

export type WorkOffMailsDeps<Due extends { readonly id: string }> = {
  readonly queue: MailQueue<Due>;
  readonly write: (due: Due) => OutgoingMail;
  /** Never rejects. */
  readonly deliver: (mail: OutgoingMail, id: string) => Promise<Delivery>;
  /** Outcomes that the database has not heard of yet; the caller keeps it from one call to the next. */
  readonly unrecorded: Map<string, MailOutcome>;
  readonly shouldStop?: () => boolean;
};

/** Few at a time: what one worker holds, no other can send. */
const BATCH = 10;

/**
 * Sends what is due until nothing is, or the mail server does not take any more. What is claimed and not sent goes back into the
 * queue. A mail of which nobody knows is left alone: its lease runs out, and the database never hands it out again.
 * @returns how many were sent. @throws when the database cannot be asked.
 */
export async function processMailQueue<Due extends { readonly id: string }>(
  deps: WorkOffMailsDeps<Due>,
): Promise<number> {
  const { queue, shouldStop = () => false } = deps;
  await record(deps);
  let sent = 0;
  let isTaken = true;
  while (isTaken && !shouldStop()) {
    const due = await queue.claim(BATCH);
    if (due.length === 0) break;
    for (const mail of due) {
      const delivery: Delivery | 'withdrawn' = await send(deps, mail, isTaken && !shouldStop());
      if (delivery === 'sent') sent += 1;
      isTaken &&= delivery !== 'unreachable' && delivery !== 'unknown';
      const outcome = toOutcome(delivery);
      if (outcome) deps.unrecorded.set(mail.id, outcome);
      await record(deps);
    }
  }
  return sent;
}

/** What must not be sent any more, or is another worker's since its lease ran out, is not given back either. */
async function send<Due extends { readonly id: string }>(
  { queue, write, deliver }: WorkOffMailsDeps<Due>,
  due: Due,
  mayGo: boolean,
): Promise<Delivery | 'withdrawn'> {
  if (!(await queue.begin(due.id))) return 'withdrawn';
  return mayGo ? await deliver(write(due), due.id) : 'unreachable';
}

function toOutcome(delivery: Delivery | 'withdrawn'): MailOutcome | undefined {
  if (delivery === 'sent' || delivery === 'refused') return delivery;
  return delivery === 'deferred' || delivery === 'unreachable' ? 'retry' : undefined;
}

async function record<Due extends { readonly id: string }>({
  queue,
  unrecorded,
}: WorkOffMailsDeps<Due>): Promise<void> {
  for (const [id, outcome] of unrecorded) {
    await queue.finish(id, outcome);
    unrecorded.delete(id);
  }
}
