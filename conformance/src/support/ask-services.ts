/** How each service answers whoever has these headers: its status. */
export type ServiceStatuses = Readonly<
  Record<'auth' | 'rest' | 'storage' | 'realtime' | 'functions', number>
>;

/** What a signed-in person's token gets from every service: the function refuses the empty body, after the gateway has let the caller through. */
export const PERSON_ACCEPTED: ServiceStatuses = {
  auth: 200,
  rest: 200,
  storage: 200,
  realtime: 202,
  functions: 400,
};
/** What a token that does not verify gets, in each protocol's own way: storage says 400 and the true status in its body. */
export const TOKEN_REFUSED: ServiceStatuses = {
  auth: 403,
  rest: 401,
  storage: 400,
  realtime: 401,
  functions: 401,
};

/** Asks each service for something that only needs a caller. */
export async function askServices(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ServiceStatuses> {
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const messages = [{ topic: 'sala', event: 'oi', payload: {}, private: false }];
  return {
    auth: await ask('/auth/v1/user'),
    rest: await ask('/rest/v1/profiles?select=id'),
    storage: await ask('/storage/v1/bucket'),
    realtime: await ask('/realtime/v1/api/broadcast', { messages }),
    functions: await ask('/functions/v1/link-preview', {}),
  };
}
