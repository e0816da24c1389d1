import type { CountedLimit } from '@linkoteca/domain/plans';
import * as v from 'valibot';
import { formDraft } from '../../../shared/lib/forms/form-draft.ts';
import { internalPathSchema } from '../../internal-path.ts';

/** How long something waits for room, milliseconds: a week. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** What a plan has no room for. */
export interface MetLimit {
  readonly of: CountedLimit;
  readonly max: number;
}

const start = v.object({
  url: v.string(),
  title: v.optional(v.string()),
  description: v.optional(v.string()),
});

const requestSchema = v.variant('kind', [
  v.object({
    kind: v.literal('add-link'),
    draftKey: v.string(),
    start: v.optional(start),
    categoryId: v.exactOptional(v.string()),
  }),
  v.object({
    kind: v.literal('paste-links'),
    text: v.pipe(v.string(), v.nonEmpty()),
    categoryId: v.exactOptional(v.string()),
  }),
  v.object({
    kind: v.literal('category'),
    draftKey: v.string(),
    folder: v.object({ id: v.string(), name: v.string() }),
  }),
]);

/** A form that found no room in the plan: its text is in the draft of its key, a list's in itself. */
export type WaitingRequest = v.InferOutput<typeof requestSchema>;

const limitSchema = v.object({ of: v.picklist(['maxLinks', 'maxCategories']), max: v.number() });

const waitingSchema = v.object({
  request: requestSchema,
  path: internalPathSchema,
  at: v.number(),
  limit: v.optional(limitSchema),
});

/** What waits, on which page it was begun, and which limit it met. */
type Waiting = v.InferOutput<typeof waitingSchema>;

const keyOf = (userId: string) => `linkoteca-waiting-${userId}`;

/** Keeps, on this device, what this person goes on with once there is room. */
export function keepWaiting(userId: string, request: WaitingRequest, path: string, limit?: MetLimit): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify({ request, path, limit, at: Date.now() }));
  } catch {
    // A full storage: what is typed is in its draft all the same.
  }
}

/** What waits for room; null when that is nothing, too old, or has been saved or thrown away meanwhile. */
export function readWaiting(userId: string, now = Date.now()): Waiting | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null');
    const { success, output } = v.safeParse(waitingSchema, stored);
    if (!success || now - output.at > KEPT_MS) return null;
    const { request } = output;
    return request.kind === 'paste-links' || formDraft(request.draftKey).exists() ? output : null;
  } catch {
    return null;
  }
}

/** It goes on. */
export function forgetWaiting(userId: string): void {
  try {
    localStorage.removeItem(keyOf(userId));
  } catch {
    // Without storage nothing waits.
  }
}
