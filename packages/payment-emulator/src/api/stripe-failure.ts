export type FailureType = 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error';

export type FailureFields = {
  readonly status: number;
  readonly type?: FailureType;
  readonly code?: string;
  readonly param?: string;
  readonly declineCode?: string;
};

/** Why a request of the API is refused, as Stripe tells it ("Errors", docs.stripe.com/api/errors). Nothing is written then. */
export class StripeFailure extends Error {
  override readonly name = 'StripeFailure';
  readonly fields: FailureFields;

  constructor(message: string, fields: FailureFields) {
    super(message);
    this.fields = fields;
  }
}

/** The body that goes with it. */
export function describeFailure({ message, fields }: StripeFailure, requestId: string): object {
  const { type = 'invalid_request_error', code, param, declineCode } = fields;
  return {
    error: {
      ...(code === undefined ? {} : { code }),
      ...(declineCode === undefined ? {} : { decline_code: declineCode }),
      message,
      ...(param === undefined ? {} : { param }),
      request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
      type,
    },
  };
}

/** A parameter that does not serve. */
export function invalidParameter(param: string, message: string, code?: string): StripeFailure {
  return new StripeFailure(message, { status: 400, param, ...(code === undefined ? {} : { code }) });
}

/** An object that does not exist. `param` says where its id stood; `id`: in the address, which is 404. */
export function missingObject(kind: string, id: string, param = 'id'): StripeFailure {
  return new StripeFailure(`No such ${kind}: '${id}'`, {
    status: param === 'id' ? 404 : 400,
    code: 'resource_missing',
    param,
  });
}
