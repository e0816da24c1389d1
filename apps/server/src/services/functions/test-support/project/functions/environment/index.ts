Deno.serve(() =>
  Response.json({
    deno: Deno.env.toObject(),
    node: { ...process.env },
    one: Deno.env.get('FROM_FILE') ?? null,
    missing: Deno.env.get('NOT_SET') ?? null,
  }),
);
