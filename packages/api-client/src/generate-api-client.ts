import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { generateClientFiles } from './generate-client-files.ts';

// After apps/server/src/services/api/generate-document.ts has written the document anew.
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = pathOf('../generated');
await rm(folder, { recursive: true, force: true });
await generateClientFiles(pathOf('../openapi.json'), folder);
