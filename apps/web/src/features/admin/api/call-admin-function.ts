import type { Database } from '@linkoteca/database-types/database';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type {
  AdminAudit,
  AdminLinkPage,
  AdminStatistics,
  AdminSubscriptions,
  OverviewAnswer,
  UserPageAnswer,
} from '../model/admin-answers.ts';

/** What each function answers the administrator. */
interface Answers {
  readonly admin_audit: AdminAudit;
  readonly admin_change_plan: { readonly changed?: boolean };
  readonly admin_list_users: UserPageAnswer;
  readonly admin_overview: OverviewAnswer;
  readonly admin_statistics: AdminStatistics;
  readonly admin_subscriptions: AdminSubscriptions;
  readonly admin_user_links: AdminLinkPage;
}

type Arguments<Name extends keyof Answers> = Database['public']['Functions'][Name]['Args'];

/** The functions answer whoever is not the administrator with nothing. */
class NotAdministratorError extends Error {
  override name = 'NotAdministratorError';
}

/**
 * Calls one of the administrator's functions.
 * @throws NotAdministratorError when the caller is not, or no longer, the administrator; what the table client throws.
 */
export async function callAdminFunction<Name extends keyof Answers>(
  database: DatabaseClient,
  name: Name,
  args: Arguments<Name>,
  signal?: AbortSignal,
): Promise<Answers[Name]> {
  const ask = async () => {
    // The client's types follow one name, not one of several; what comes back is Json to them.
    const call = database.rpc(name as 'admin_overview', args as never);
    const { data } = await (signal ? call.abortSignal(signal) : call).throwOnError();
    return data as unknown as Answers[Name] | null;
  };
  // A table API that is not ours leaves both calls to us: the first writes down who looks, the second reads.
  const answer = (await ask()) ?? (await ask());
  if (answer === null) throw new NotAdministratorError(name);
  return answer;
}
