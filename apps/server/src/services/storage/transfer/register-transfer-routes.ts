import type { FastifyInstance } from 'fastify';
import type { StorageDeps } from '../storage-deps.ts';
import { registerDownloads } from './register-downloads.ts';
import { registerSignedAddresses } from './register-signed-addresses.ts';
import { registerUploads } from './register-uploads.ts';

/** Everything by which files come in and go out. Errors and JSON bodies are the service's own matter. */
export function registerTransferRoutes(app: FastifyInstance, deps: StorageDeps): void {
  registerUploads(app, deps);
  registerDownloads(app, deps);
  registerSignedAddresses(app, deps);
}
