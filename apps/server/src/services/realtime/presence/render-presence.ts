import type { PresenceDiff, PresenceEntry } from './presence-entry.ts';

/** `{key: {metas: […]}}` as JSON text (protocol note, section 3.4). Keys are people's own words, so no object is built. */
export function renderPresences(entries: Iterable<PresenceEntry>): string {
  const metas = new Map<string, string[]>();
  for (const { key, metaJson } of entries) {
    const known = metas.get(key);
    if (known) known.push(metaJson);
    else metas.set(key, [metaJson]);
  }
  const parts = [...metas].map(([key, texts]) => `${JSON.stringify(key)}:{"metas":[${texts.join(',')}]}`);
  return `{${parts.join(',')}}`;
}

export function renderDiff({ joins, leaves }: PresenceDiff): string {
  return `{"joins":${renderPresences(joins)},"leaves":${renderPresences(leaves)}}`;
}

/** The client's own words with the server's reference; what it says about references itself does not count. */
export function renderMeta(
  payload: Readonly<Record<string, unknown>>,
  ref: string,
  previousRef?: string,
): string {
  const { phx_ref: _ref, phx_ref_prev: _previous, ...own } = payload;
  const refs = previousRef === undefined ? { phx_ref: ref } : { phx_ref: ref, phx_ref_prev: previousRef };
  return JSON.stringify({ ...own, ...refs });
}
