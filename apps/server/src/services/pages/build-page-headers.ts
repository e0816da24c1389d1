import { createHash } from 'node:crypto';
import type { SharedPageRenderer } from '@linkoteca/domain/sharing';

export type PageHeaders = {
  readonly page: Readonly<Record<string, string>>;
  /** Whatever site shows it in a frame. */
  readonly embed: Readonly<Record<string, string>>;
  /** Feeds and pictures: nothing in them runs. */
  readonly data: Readonly<Record<string, string>>;
  /** Feeds behind secret addresses: the address goes nowhere else. */
  readonly secret: Readonly<Record<string, string>>;
};

/** The headers of drawn pages: as strict as the app's, and nothing but their own inline script and style runs. */
export function buildPageHeaders(renderer: SharedPageRenderer, siteUrl: string): PageHeaders {
  const { origin } = new URL(siteUrl);
  const isSecure = origin.startsWith('https:');
  const policy = (ancestors: string) =>
    [
      "default-src 'none'",
      `script-src ${renderer.inlineScripts.map(hash).join(' ')}`,
      `style-src ${renderer.inlineStyles.map(hash).join(' ')}`,
      // Favicons come from the sites that people save.
      "img-src 'self' data: https:",
      "font-src 'self'",
      `connect-src 'self' ${origin} ${origin.replace(/^http/, 'ws')}`,
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      `frame-ancestors ${ancestors}`,
      ...(isSecure ? ['upgrade-insecure-requests'] : []),
    ].join('; ');
  const common = {
    'x-content-type-options': 'nosniff',
    // The saved sites learn where a visitor comes from, not the address, which is a key.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  return {
    page: {
      ...common,
      'content-security-policy': policy("'none'"),
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    },
    embed: {
      ...common,
      'content-security-policy': policy('*'),
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    },
    data: {
      ...common,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      // Public by definition, and asked for without a cookie: other sites may read it.
      'access-control-allow-origin': '*',
    },
    secret: {
      ...common,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    },
  };
}

function hash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
