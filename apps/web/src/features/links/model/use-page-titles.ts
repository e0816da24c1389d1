import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LinkPreview, useLinkPreviewQuery } from '../api/fetch-link-preview.ts';

/** Pages asked for at the same time. */
const AT_ONCE = 3;

export interface PageTitles {
  /** What was found so far, by address. */
  readonly found: ReadonlyMap<string, Extract<LinkPreview, { kind: 'found' }>>;
  /** Pages that are still to be asked. */
  readonly waiting: number;
  /** The service asks to slow down: the others stay without. */
  readonly stopped: boolean;
}

const NONE: PageTitles['found'] = new Map();

/**
 * Asks for the titles of many pages, a few at a time, while the list of addresses (by identity) and `active` stay the same.
 * Nobody has to wait for it.
 */
export function usePageTitles(urls: readonly string[], active: boolean): PageTitles {
  const queryClient = useQueryClient();
  const previewQuery = useLinkPreviewQuery();
  const [found, setFound] = useState<PageTitles['found']>(NONE);
  const [done, setDone] = useState(0);
  const [stopped, setStopped] = useState(false);

  useEffect(() => {
    if (!active) return undefined;
    const queue = [...urls];
    const ended = new AbortController();
    const work = async () => {
      for (let url = queue.shift(); url !== undefined && !ended.signal.aborted; url = queue.shift()) {
        const preview = await queryClient.fetchQuery(previewQuery(url)).catch(() => null);
        if (ended.signal.aborted) return;
        if (preview?.kind === 'busy' || preview?.kind === 'unavailable') {
          queue.length = 0;
          setStopped(true);
        }
        if (preview?.kind === 'found') setFound((before) => new Map(before).set(url, preview));
        setDone((before) => before + 1);
      }
    };
    setDone(0);
    setStopped(false);
    for (let worker = 0; worker < AT_ONCE; worker += 1) void work();
    return () => {
      ended.abort();
      void queryClient.cancelQueries({ queryKey: ['link-preview'] });
    };
  }, [urls, active, queryClient, previewQuery]);

  return { found, waiting: active && !stopped ? Math.max(0, urls.length - done) : 0, stopped };
}
