Deno.serve(async (request) => {
  const secret = Deno.env.get('STRIPE_SECRET_KEY');
  console.log('um', 2, { a: [3] }, 'fim');
  console.info('visita', { host: 'exemplo.com', token: 'segredo' });
  console.warn(`a chave é ${secret}`);
  console.error('falhou', new TypeError('o motivo'));
  console.debug(request.headers.get('authorization'));
  process.stdout.write('direto\n');
  EdgeRuntime.waitUntil(
    new Promise((resolve) => setTimeout(resolve, 50)).then(() => console.info('depois da resposta')),
  );
  return new Response('impresso');
});
