import { MigrationError } from './migration-error.ts';

/**
 * Before the first release the product's history was written anew, once, in files by topic (docs/decisions/0055). Databases and
 * backups that end with the earlier history are at this baseline: the objects are the same.
 */
export const BASELINE = '20261123002300';

/** The earlier history, whole. The last one made what the baseline makes. */
export const EARLIER_VERSIONS: readonly string[] = `
  20261121100000 20261121100100 20261121100200 20261121100300 20261121100400 20261121100500 20261121100600
  20261121100700 20261121100800 20261121100900 20261121101000 20261121101100 20261121101200 20261121101210
  20261121101300 20261121101400 20261121101500 20261121101600 20261121101700 20261121101800 20261121101900
  20261121102000 20261121102100 20261121102200 20261121102300 20261121102301 20261121102320 20261121102370
  20261121102400 20261121102401 20261121102402 20261121102403 20261121102404 20261121102500 20261121102501
  20261121102502 20261121102520 20261121102521 20261121102522 20261121102523 20261121102524 20261121102525
  20261121102526 20261121102530 20261121102540 20261121102541 20261121102542 20261121102543 20261121102544
  20261121102600 20261121102601 20261121102602 20261121102610 20261121102611 20261121102620 20261121102621
  20261121102622 20261122110000 20261122110001 20261122110002 20261122110003 20261122130000 20261122130100
  20261122130200 20261122130300 20261122130400 20261122130500 20261122140000 20261122140100 20261122140200
  20261122140300 20261122150000 20261122160000 20261122170000 20261122170100 20261122190000 20261122200000
`
  .trim()
  .split(/\s+/);

/** The files of the platform that were written anew with it, by the checksums that were recorded before: they make the same. */
export const EARLIER_PLATFORM: Readonly<Record<string, string>> = {
  '0001_roles.sql': 'fcd759d73819ca2beedc59ee95164b367190c1238afeacf2780bc2fa3eac230d',
  '0005_realtime.sql': '8c291bea96eb746c777791231369cd55672309530991662e0b722a541708ddec',
  '0007_payment_emulator.sql': '7e3c801fec73140811c8c09b29290c077e815c1206df56ab59c4d6755a303a26',
  '0008_storage.sql': '106b0a50b6136120b88992ca8c7804debf8f910aea46a1477c035b2f2108725a',
};

const LAST_EARLIER = '20261122200000_take_turns_after_a_wrong_clock';

/**
 * What the recorded versions stand for among those that this program knows: the earlier history, when it is whole, for the baseline.
 * @throws MigrationError when it is not: the missing ones are no longer here.
 */
export function readHistory(recorded: readonly string[], known: readonly string[]): readonly string[] {
  const all = new Set(recorded);
  const earlier = EARLIER_VERSIONS.filter((version) => all.has(version));
  if (earlier.length === 0) return recorded;
  const baseline = known.filter((version) => BigInt(version) <= BigInt(BASELINE));
  const others = recorded.filter((version) => !earlier.includes(version));
  if (baseline.every((version) => all.has(version))) return others;
  if (earlier.length < EARLIER_VERSIONS.length)
    throw new MigrationError(
      `Os dados são de uma versão antiga da Linkoteca (migração ${earlier.at(-1)}): inicie com eles, uma vez, a versão cuja última ` +
        `migração é ${LAST_EARLIER}, e depois esta.`,
    );
  return [...others, ...baseline].sort();
}
