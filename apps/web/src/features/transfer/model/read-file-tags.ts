import { readTagNames, TAG_LIMITS } from '@linkoteca/domain/tags';

/**
 * Tags as other services write them: 'a, b' (browsers, Raindrop), 'a|b' (Pocket), '["a","b"]' (Instapaper), '#a #b'; where names have no
 * blanks (linkding's `tag_names`), blanks between them. At most as many as a link may have.
 */
export function readFileTags(text: string, areWords = false): readonly string[] {
  // Around anything else than quoted names, brackets are a name's own.
  const plain = text.replace(/^\s*\[(\s*|\s*".*"\s*)\]\s*$/s, '$1');
  const separators = areWords || /^\s*#[^\s,;|]+(\s+#[^\s,;|]+)*\s*$/.test(plain) ? /[\s,;|]+/ : /[,;|]/;
  return readTagNames(plain.split(separators)).slice(0, TAG_LIMITS.link);
}
