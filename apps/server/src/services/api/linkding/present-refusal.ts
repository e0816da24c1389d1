import { PROBLEMS, type Problem } from '../problem.ts';

type Refusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
};

/**
 * A refusal as Django's REST framework puts it, which linkding's programs read: words of what was sent with 400 and by field, all else as
 * `detail`. Pure.
 */
export function presentRefusal({ code, message, details }: Problem): Refusal {
  const headers = { ...details.headers };
  if (headers['www-authenticate'] !== undefined) headers['www-authenticate'] = 'Token';
  const { errors = [] } = details;
  if (errors.length > 0) {
    const byField = Map.groupBy(errors, ({ pointer }) => pointer.split('/')[1] || 'non_field_errors');
    const body = Object.fromEntries([...byField].map(([field, of]) => [field, of.map((one) => one.detail)]));
    return { status: 400, headers, body };
  }
  // What a plan does not hold is shown to the person by these programs only with 400.
  if (code === 'limit_reached' || code === 'invalid_content')
    return { status: 400, headers, body: { non_field_errors: [message] } };
  return { status: PROBLEMS[code][0], headers, body: { detail: message } };
}
