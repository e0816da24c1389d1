Deno.serve(() => Response.json(Deno.env.toObject()));
