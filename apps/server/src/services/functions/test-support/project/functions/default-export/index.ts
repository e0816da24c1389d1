export default {
  greeting: 'do objeto',
  fetch(this: { greeting: string }, request: Request): Response {
    return new Response(`${this.greeting}: ${new URL(request.url).pathname}`);
  },
};
