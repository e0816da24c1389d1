import type { CallOptions } from '../call-service.ts';
import { CALLERS, type Caller } from './caller.ts';
import type { PersonName, Scene } from './scene.ts';

/** A status, and the code of a refusal. */
export type Outcome = `${number}` | `${number} ${string}`;
export type Answers = Readonly<Record<Caller, Outcome>>;

export type Asked = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
} & Pick<CallOptions, 'body' | 'form'>;

export type Row = {
  /** Method and path, as the service lists them. */
  readonly route: string;
  /** What of it is asked for, where a route has several rows. */
  readonly what?: string;
  /** A request that would succeed for whoever may make it; what it names is Ana's. */
  readonly ask?: (scene: Scene) => Asked;
  /** What has to be so before, beside the scene. */
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  readonly answers: Answers;
  /** Whose rows change where it is allowed: the caller's own, unless it says otherwise. New accounts are nobody's. */
  readonly changes?: { readonly of?: readonly PersonName[]; readonly tables: readonly string[] };
  /** Of whom an allowed answer may tell, beside what was asked: those whose rows change, unless it says otherwise. */
  readonly tells?: readonly PersonName[];
  /** Tables in which a refusal is counted. */
  readonly counts?: readonly string[];
};

/** Whoever asks gets the same: the proof, if there is one, is in what is sent. */
export function toAnybody(outcome: Outcome): Answers {
  return Object.fromEntries(CALLERS.map((caller) => [caller, outcome])) as Answers;
}

/** For people in sessions of their own. */
export function toPeople(people: Pick<Answers, 'person' | 'stranger' | 'visitor' | 'firstLevel'>): Answers {
  return {
    nobody: '401 no_authorization',
    guest: '403 bad_jwt',
    ...people,
    banned: '403 user_banned',
    reader: '403 insufficient_scope',
    writer: '403 insufficient_scope',
    personal: '403 insufficient_scope',
    idToken: '403 insufficient_scope',
    signedOut: '403 session_not_found',
    expired: '403 bad_jwt',
    forged: '403 bad_jwt',
    operator: '403 bad_jwt',
  };
}

/** For the operator's key alone. */
export function toOperator(outcome: Outcome): Answers {
  return {
    ...toAnybody('403 not_admin'),
    nobody: '401 no_authorization',
    expired: '403 bad_jwt',
    forged: '403 bad_jwt',
    operator: outcome,
  };
}
