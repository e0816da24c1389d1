import type * as v from 'valibot';
import type { Library } from '../../library/library.ts';
import type { ProblemCode } from './problem.ts';

type Schema<T = unknown> = v.GenericSchema<unknown, T>;

/** One call, read and admitted. */
export type Call<Id, Query, Body> = {
  /** The last part of the path, where there is one. */
  readonly id: Id;
  readonly query: Query;
  readonly body: Body;
  readonly library: Library;
  /** The person. */
  readonly userId: string;
};

/** What an operation answers. */
export type Answer = {
  /** Left out where there is nothing to say. */
  readonly body?: object;
  /** Path of what was created, below `/api/v1`. */
  readonly location?: string;
};

type Definition<Query, Body> = {
  /** `operationId`: what generated clients call it. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`; `{id}` at its end is an id. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  /** Of the query string. */
  readonly query?: Schema<Query>;
  /** Of the JSON that is sent. */
  readonly content?: Schema<Body>;
  readonly status: 200 | 201 | 204;
  /** Of the JSON that is answered; left out with 204. */
  readonly answer?: v.GenericSchema;
  /** What can be wrong beyond what every operation may answer. */
  readonly problems?: readonly ProblemCode[];
  /** How it is called in the document; each is run by a test. */
  readonly example: { readonly query?: string; readonly content?: object; readonly idempotencyKey?: string };
  readonly run: (call: Call<string, Query, Body>) => Promise<Answer>;
};

/** An operation whatever it reads. */
export type Operation = Definition<unknown, unknown>;

/** What a person allows a program must cover. */
export function scopeOf({ method }: { readonly method: string }): 'links:read' | 'links:write' {
  return method === 'GET' ? 'links:read' : 'links:write';
}

/** An operation from its description. Queries and contents that do not fit their schemas never reach `run`. */
export function defineOperation<Query, Body>(definition: Definition<Query, Body>): Operation {
  return definition as unknown as Operation;
}
