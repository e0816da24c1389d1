import { join } from 'node:path';
import * as v from 'valibot';
import type { FunctionDefinition } from '../function-definition.ts';
import { readToml } from './read-toml.ts';

const count = (least: number) => {
  const message = `deve ser um número inteiro a partir de ${least}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message));
};

const SCHEMA = v.object({
  secrets: v.optional(v.array(v.string('deve ser um texto entre aspas')), []),
  person: v.optional(v.object({ calls: count(1), seconds: count(1) })),
  room: v.optional(v.object({ at_once: count(1), waiting: count(0) })),
});

/** Enough that nobody meets it by using the product, little enough that memory stays. */
const ROOM = { atOnce: 32, waiting: 128 };

/**
 * `limits.toml` in a function's folder: which secrets it gets, how often a person may call it, and how many calls run at
 * once. Only this server reads it; the hosted platform has limits of its own.
 * @throws FunctionsConfigError
 */
export function readOwnLimits(folder: string): Pick<FunctionDefinition, 'secrets' | 'limit' | 'room'> {
  const { secrets, person, room } = readToml(join(folder, 'limits.toml'), SCHEMA);
  return {
    secrets,
    ...(person ? { limit: person } : {}),
    room: room ? { atOnce: room.at_once, waiting: room.waiting } : ROOM,
  };
}
