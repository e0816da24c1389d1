import { create as createDisposition } from 'content-disposition';
import { readMediaType } from './is-mime-type-allowed.ts';

/** What would run, or be read as a page of ours, in a browser. */
const RUNS_OR_IS_A_PAGE =
  /^(?:text\/html|application\/xhtml\+xml|(?:text|application)\/(?:x-)?(?:javascript|ecmascript|jscript|livescript)[\d.]*)$/;
const PDF = 'application/pdf';

/**
 * Files come from people and lie on the product's own origin. `sandbox` takes the origin away from whatever a browser makes of one,
 * an SVG or an XML page included, and lets nothing in it run, submit or open; pictures, sound and inline style stay, so that a file
 * that is opened by itself can be seen.
 */
const POLICY =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * The headers that keep a file from acting on our origin. Pages and scripts are given out as plain text, as the platform does with
 * pages: with `nosniff` no browser shows or runs them, not even a page of ours whose policy allows scripts of its own origin.
 */
export function buildGuardHeaders(contentType: string): Readonly<Record<string, string>> {
  const mediaType = readMediaType(contentType) ?? 'application/octet-stream';
  return {
    'content-type': RUNS_OR_IS_A_PAGE.test(mediaType) ? 'text/plain; charset=utf-8' : contentType,
    'x-content-type-options': 'nosniff',
    // Browsers do not open their own PDF viewer in a sandbox; it runs apart from the page's origin anyway.
    'content-security-policy': mediaType === PDF ? POLICY : `${POLICY}; sandbox`,
  };
}

/** `?download` saves the file, `?download=name` under that name (RFC 6266); nothing without the parameter. */
export function buildDisposition(download: string | undefined): Readonly<Record<string, string>> {
  if (download === undefined) return {};
  return {
    'content-disposition': download === '' ? 'attachment' : createDisposition(download.toWellFormed()),
  };
}
