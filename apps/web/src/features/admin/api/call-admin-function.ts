import type { Database } from '@linkoteca/database-types/database';
import type { BaseIssue, BaseSchema, InferOutput } from 'valibot';
import { parse } from 'valibot';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

type Functions = Database['public']['Functions'];
type AdminFunction = Extract<keyof Functions, `admin_${string}`>;

/** The functions answer whoever is not the administrator with nothing. */
class NotAdministratorError extends Error {
  override name = 'NotAdministratorError';
}

/**
 * Calls one of the administrator's functions and reads its answer.
 * @throws NotAdministratorError when the caller is not, or no longer, the administrator; what the table client or the schema throws.
 */
export async function callAdminFunction<
  Name extends AdminFunction,
  Schema extends BaseSchema<unknown, unknown, BaseIssue<unknown>>,
>(
  database: DatabaseClient,
  name: Name,
  args: Functions[Name]['Args'],
  schema: Schema,
  signal?: AbortSignal,
): Promise<InferOutput<Schema>> {
  // The client's types follow one name, not one of several.
  const call = database.rpc(name as 'admin_overview', args as never);
  const { data } = await (signal ? call.abortSignal(signal) : call).throwOnError();
  if (data === null) throw new NotAdministratorError(name);
  return parse(schema, data);
}
