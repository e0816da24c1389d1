import { DEVICE_MESSAGES, describeNetwork } from '@linkoteca/domain/messages/device-messages';

const LOCAL = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::\/|f[cd][0-9a-f]{2}:|fe80:)/;

/** A network as the database shortens it ('203.0.113.0/24', '2001:db8:1::/48'), in words: 'Rede 203.0.113.…'. */
export function describePlace(network: string | null): string {
  if (network === null) return DEVICE_MESSAGES.unknownPlace;
  if (LOCAL.test(network)) return DEVICE_MESSAGES.localNetwork;
  return describeNetwork(network.replace(/(?:\.0|::)\/\d+$/, (end) => end[0] ?? ''));
}
