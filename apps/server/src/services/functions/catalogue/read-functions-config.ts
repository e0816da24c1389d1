import * as v from 'valibot';
import { readToml } from './read-toml.ts';

const bool = v.boolean('deve ser true ou false');
const text = v.string('deve ser um texto entre aspas');

/** Of the platform's file, what concerns functions; its other tables are for other readers. */
const SCHEMA = v.object({
  functions: v.optional(
    v.record(
      v.string(),
      v.object({
        enabled: v.optional(bool, true),
        verify_jwt: v.optional(bool, true),
        import_map: v.optional(text),
        entrypoint: v.optional(text),
      }),
    ),
    {},
  ),
  edge_runtime: v.optional(
    v.object({
      /** The project's own settings that functions see, the same for all; `env(NAME)` takes the server's. */
      secrets: v.optional(
        v.record(
          v.pipe(
            v.string(),
            v.check((name) => !name.startsWith('SUPABASE_'), 'não pode começar com SUPABASE_'),
          ),
          text,
        ),
        {},
      ),
    }),
    {},
  ),
});

export type FunctionsConfig = v.InferOutput<typeof SCHEMA>;

/** `supabase/config.toml`, as the hosted platform's command line reads it. @throws FunctionsConfigError */
export function readFunctionsConfig(path: string): FunctionsConfig {
  return readToml(path, SCHEMA);
}
