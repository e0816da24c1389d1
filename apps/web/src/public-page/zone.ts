/** The server does not know the visitor's zone: dates are Brasília's. */
export const ZONE = 'America/Sao_Paulo';
