/** An installation that is nobody's: of which the document is kept, and the client generated. */
export const EXAMPLE_SETTINGS = { siteUrl: 'https://linkoteca.example', oauthServerEnabled: true } as const;
