import { categoryFormSchema } from '@linkoteca/domain/category-schema';
import { foldTerm } from '@linkoteca/domain/fold-text';
import { describeCategoryLimit } from '@linkoteca/domain/messages/plan-messages';
import { describeRoomierPlan } from '@linkoteca/domain/messages/room-messages';
import * as v from 'valibot';
import type { CategoryGroup } from './category-groups.ts';

/** A category to be made while a link is saved or moved. */
export interface NewPlace {
  readonly name: string;
  /** Null where there is no folder yet: it is made with it. */
  readonly folderId: string | null;
  readonly folderName: string;
}

/** How making it ended. */
export type PlaceCreation =
  | { readonly kind: 'created'; readonly id: string }
  /** The plan has no room for another category. */
  | { readonly kind: 'limit'; readonly max: number }
  /** Whatever else went wrong, in words for the person. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Makes a category for links that wait for it. */
export interface CreatePlace {
  (place: NewPlace): Promise<PlaceCreation>;
  /** How full the plan is, where it has no room for one: said where it is offered. */
  readonly lock?: string | null;
}

/** Stands for the category of a link where there is none yet: it is made when the link is saved. */
export const UNMADE_CATEGORY = '00000000-0000-0000-0000-000000000000';

/** Where the first link goes when nothing is there yet; both names are the person's to change. */
const FIRST_FOLDER = 'Minha biblioteca';
const FIRST_CATEGORY = 'Geral';

/** The place that a link starts in where there is no category: in the first folder, or in one that is made with it. */
export function chooseFirstPlace(groups: readonly CategoryGroup[]): NewPlace {
  return { name: FIRST_CATEGORY, ...folderOf(groups, null) };
}

/**
 * The category that a typed text would make: 'Nome' in the folder at hand, 'Pasta / Nome' in one that is named.
 * @param nearId a category whose folder is at hand.
 * @returns null for no name, and where there is one of it already: in the folder that is named, else in any.
 */
export function readNewPlace(
  typed: string,
  groups: readonly CategoryGroup[],
  nearId: string | null,
): NewPlace | null {
  const [before = '', ...after] = typed.split('/');
  const named = after.length > 0 && groups.find(({ folderName }) => isSame(folderName, before));
  const folder = named
    ? { folderId: named.folderId, folderName: named.folderName }
    : folderOf(groups, nearId);
  const name = (named ? after.join('/') : typed).trim();
  const others = (named ? [named] : groups).flatMap(({ categories }) => categories);
  return name === '' || others.some((category) => isSame(category.name, name)) ? null : { name, ...folder };
}

/** Why there is no new category. */
export type PlaceRefusal = Exclude<PlaceCreation, { readonly kind: 'created' }>;

/** Where links go, and all categories, that one among them. */
interface SettledPlace {
  readonly kind: 'settled';
  readonly id: string;
  readonly groups: readonly CategoryGroup[];
}

/** The category that links go to, made now if that is still to be done. */
export async function settlePlace(
  categoryId: string,
  groups: readonly CategoryGroup[],
  createPlace: CreatePlace,
): Promise<SettledPlace | PlaceRefusal> {
  if (categoryId !== UNMADE_CATEGORY) return { kind: 'settled', id: categoryId, groups };
  const { name, folderId, folderName } = chooseFirstPlace(groups);
  const made = await createPlace({ name, folderId, folderName });
  if (made.kind !== 'created') return made;
  const group = { folderId: folderId ?? '', folderName, categories: [{ id: made.id, name }] };
  return { kind: 'settled', id: made.id, groups: [...groups, group] };
}

/** Why a category was not made. */
export function describeRefusedPlace(refusal: PlaceRefusal): string {
  if (refusal.kind === 'failed') return refusal.reason;
  const { title, description } = describeCategoryLimit(refusal.max);
  return `${title}. ${describeRoomierPlan('maxCategories', refusal.max) ?? `${description}.`}`;
}

/** Why a category cannot be called so; null when it can. */
export function findNameFault(name: string): string | null {
  const { success, issues } = v.safeParse(categoryFormSchema.entries.name, name);
  return success ? null : (issues[0]?.message ?? null);
}

function folderOf(
  groups: readonly CategoryGroup[],
  nearId: string | null,
): Pick<NewPlace, 'folderId' | 'folderName'> {
  const near = groups.find(({ categories }) => categories.some(({ id }) => id === nearId)) ?? groups[0];
  return { folderId: near?.folderId ?? null, folderName: near?.folderName ?? FIRST_FOLDER };
}

function isSame(one: string, other: string): boolean {
  return foldTerm(one) === foldTerm(other);
}
