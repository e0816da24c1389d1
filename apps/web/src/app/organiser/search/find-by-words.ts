import { foldTerm, foldText } from '@linkoteca/domain/fold-text';

/** Something that is found by its name, or by another word for it. */
export interface Named {
  readonly label: string;
  /** Other words that people use for it. */
  readonly synonyms?: string;
}

/**
 * What each typed word begins a word of, those first whose name begins with what was typed. All of it, in its own order, where
 * nothing is typed.
 */
export function findByWords<T extends Named>(all: readonly T[], typed: string): readonly T[] {
  const needle = foldTerm(typed);
  if (needle === '') return all;
  const wanted = needle.split(' ');
  return all
    .filter(({ label, synonyms = '' }) => {
      const words = foldText(`${label} ${synonyms}`).split(/[^\p{L}\p{N}]+/u);
      return wanted.every((part) => words.some((word) => word.startsWith(part)));
    })
    .toSorted((one, other) => Number(beginsWith(other, needle)) - Number(beginsWith(one, needle)));
}

/** Whether its name begins with what was typed. */
export function beginsWith({ label }: Named, typed: string): boolean {
  return foldText(label).startsWith(foldTerm(typed));
}
