import { shortenText } from '../../../packages/domain/src/shorten-text.ts';

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** They turn the words around them, or hide in them. What emoji are joined and chosen by stays. */
const INVISIBLE = /(?!\u200D|\uFE0E|\uFE0F)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2800]/gu;
/** More than any script needs on one letter hides the line above. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** What holds an address together, and what programs take for it (UTS 46 maps the dots). */
const JOINTS =
  /(?<=\S)[.:@/\\\u2024\u2044\u2215\u3002\uFE52\uFE55\uFE6B\uFF0E\uFF0F\uFF1A\uFF20\uFF3C\uFF61](?=\S)/g;
const ZERO_WIDTH_SPACE = '\u200B';

/** Somebody's words on one line. Mail programs make a link of whatever looks like one, so nothing may look like one. */
export function quote(raw: string, max: number): string {
  const line = raw
    .toWellFormed()
    .replace(CONTROLS, ' ')
    .replace(INVISIBLE, '')
    .replace(PILED_MARKS, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return shortenText(line, max).replace(JOINTS, `$&${ZERO_WIDTH_SPACE}`);
}

/** Quoted words with a blank in place of what would join them to an address. */
export function separate(quoted: string): string {
  return quoted.replaceAll(ZERO_WIDTH_SPACE, '').replace(JOINTS, ' ').replace(/\s+/g, ' ').trim();
}
