import normalizeUrl from 'normalize-url';
import { addressKey } from './urls.ts';

/** Parameters that say where a reader came from, and nothing of what they read, in lower case. Twins of `private.is_tracking_parameter`. */
export const TRACKING_NAMES = [
  'fbclid',
  'fb_action_ids',
  'fb_action_types',
  'fb_source',
  'fb_ref',
  'gclid',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'srsltid',
  '_ga',
  '_gl',
  'msclkid',
  'yclid',
  'ymclid',
  '_openstat',
  'twclid',
  'ttclid',
  'rdt_cid',
  'li_fat_id',
  'igshid',
  'igsh',
  'mc_cid',
  'mc_eid',
  'mkt_tok',
  '_hsenc',
  '_hsmi',
  '__hssc',
  '__hstc',
  '__hsfp',
  'hsctatracking',
  'oly_anon_id',
  'oly_enc_id',
  'vero_id',
  'vero_conv',
  'elq',
  'elqtrackid',
  'elqaid',
  'elqat',
  'elqcampaignid',
  'elqtrack',
  'wickedid',
  's_cid',
  'ml_subscriber',
  'ml_subscriber_hash',
  'ref_src',
  'ref_url',
  'ncid',
  'cmpid',
  'mbid',
  '__s',
] as const;

/** What stands before the first '_' of others. */
export const TRACKING_PREFIXES = ['utm', 'itm', 'mtm', 'pk', 'piwik', 'hsa', 'ga'] as const;

const TRACKING = new RegExp(`^(?:(?:${TRACKING_PREFIXES.join('|')})_.*|${TRACKING_NAMES.join('|')})$`, 'i');

/** Where 'si' says who shared it; elsewhere it may be anything. */
const SHARED_BY = /(^|\.)(youtu\.be|youtube\.com|spotify\.com)$/;

/**
 * What addresses of the same page have in common: without scheme, `www.`, usual port, slashes that say nothing, tracking, order of the
 * parameters and fragment, but for a fragment that begins as a path does. For comparing only. Twin of `private.address_key` in the
 * database, which decides.
 */
export function samePageKey(raw: string): string {
  const address = addressKey(raw);
  const url = address === null ? null : URL.parse(address);
  if (url === null) return raw;
  // Another encoding: the library would read what it cannot decode as one and the same character.
  if (!canBeDecoded(url.search)) return url.href;
  return normalizeUrl(url.href, {
    stripProtocol: true,
    // Whose page it is may depend on it.
    stripAuthentication: false,
    stripHash: !/^#[/!]/.test(url.hash),
    removeQueryParameters: SHARED_BY.test(url.hostname) ? [TRACKING, 'si'] : [TRACKING],
  });
}

function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
