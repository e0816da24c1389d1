import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
  'Proxy-Status',
  'Server-Timing',
  'Range-Unit',
  'X-Total-Count',
  'Link',
  'X-Supabase-Api-Version',
  'x-sb-error-code',
  'x-relay-error',
  'ETag',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Expires',
  'Tus-Version',
  'Tus-Resumable',
  'Tus-Max-Size',
  'Tus-Extension',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** `origin: true` echoes the caller's; without `allowedHeaders` the requested ones are echoed. */
const SERVICE_CORS: FastifyCorsOptions = {
  origin: true,
  credentials: true,
  methods: METHODS,
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 3600,
  strictPreflight: false,
};

/** The plain API is called by pages of anybody's, and never with a cookie: `*` says so. */
const API_CORS: FastifyCorsOptions = {
  origin: '*',
  methods: METHODS,
  allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
  exposedHeaders: ['Allow', 'Idempotent-Replayed', 'Location', 'Retry-After', 'WWW-Authenticate'],
  maxAge: 3600,
  strictPreflight: false,
};

/** Services that answer OPTIONS in words of their own, where no browser asks for permission first. */
const ANSWERS_OPTIONS = /^\/(?:rest\/v1|storage\/v1\/upload\/resumable)(?:[/?]|$)/;

/** The app and the server's own pages answer to their own origin alone: `/dev/mail` holds sign-in links. */
const NO_CORS: FastifyCorsOptions = { origin: false };

/**
 * Lets pages of any origin call the services. Nothing is given away: callers prove themselves with a token in a header,
 * never with a cookie a browser would send by itself.
 */
export async function registerCors(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    delegator: (request, decide) => decide(null, chooseRules(request as FastifyRequest)),
  });
}

function chooseRules({ url, method, headers }: FastifyRequest): FastifyCorsOptions {
  const service = findService(url);
  if (!service) return NO_CORS;
  if (service === 'api') return API_CORS;
  const isPreflight = headers['access-control-request-method'] !== undefined;
  const answersItself = method === 'OPTIONS' && !isPreflight && ANSWERS_OPTIONS.test(url);
  return answersItself ? { ...SERVICE_CORS, preflight: false } : SERVICE_CORS;
}
