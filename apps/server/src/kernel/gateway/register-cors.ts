import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { findService } from './answer-unknown-path.ts';

/** In credentials mode `*` is illegal everywhere, so each header is named (protocol note, section 0). */
const EXPOSED_HEADERS = [
  'Content-Range',
  'Content-Location',
  'Content-Profile',
  'Content-Type',
  'Content-Encoding',
  'Date',
  'Location',
  'Preference-Applied',
  'Range-Unit',
  'X-Total-Count',
  'Link',
  'X-Supabase-Api-Version',
  'x-sb-error-code',
  'x-relay-error',
  'ETag',
  'Upload-Offset',
  'Upload-Length',
  'Tus-Version',
  'Tus-Resumable',
  'Tus-Max-Size',
  'Tus-Extension',
];

/** `origin: true` echoes the caller's; without `allowedHeaders` the requested ones are echoed. */
const SERVICE_CORS: FastifyCorsOptions = {
  origin: true,
  credentials: true,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 3600,
  strictPreflight: false,
};

/** The app and the server's own pages answer to their own origin alone: `/dev/mail` holds sign-in links. */
const NO_CORS: FastifyCorsOptions = { origin: false };

/**
 * Lets pages of any origin call the services. Nothing is given away: callers prove themselves with a token in a header,
 * never with a cookie a browser would send by itself.
 */
export async function registerCors(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    delegator: (request, decide) => decide(null, findService(request.url ?? '') ? SERVICE_CORS : NO_CORS),
  });
}
