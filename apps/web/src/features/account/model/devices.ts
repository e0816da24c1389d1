import { DEVICE_MESSAGES, describeNetwork } from './device-messages.ts';

/** Order matters: most browsers also call themselves Chrome, and all Safari. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

/** Android also says Linux, and iPhones say Mac. */
const SYSTEMS = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
] as const;

/** Browser and system of a `User-Agent` header, as far as a person would name them. */
export function readUserAgent(userAgent: string | null): {
  readonly browser: string | null;
  readonly system: string | null;
} {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? null;
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}

const LOCAL = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::\/|f[cd][0-9a-f]{2}:|fe80:)/;

/** A network as the database shortens it ('203.0.113.0/24', '2001:db8:1::/48'), in words: 'Rede 203.0.113.…'. */
export function describePlace(network: string | null): string {
  if (network === null) return DEVICE_MESSAGES.unknownPlace;
  if (LOCAL.test(network)) return DEVICE_MESSAGES.localNetwork;
  return describeNetwork(network.replace(/(?:\.0|::)\/\d+$/, (end) => end[0] ?? ''));
}
