/** Which call of the server's log it is. Whatever a caller sends under this name is replaced. */
export const REQUEST_ID_HEADER = 'x-request-id';
/** On an answer that the worker makes in the function's place; a function cannot send it. */
export const FAULT_HEADER = 'x-linkoteca-worker-fault';
