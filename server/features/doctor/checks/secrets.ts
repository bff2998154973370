import { SECRET_NAMES, findSecret } from '../../../platform/crypto/secrets.ts';
import { readSealingKey } from '../../../platform/crypto/sealed-keys.ts';
import { listMarkedPlaces, readMarker } from '../../../platform/storage/markers.ts';
import { listUnopenableSecondFactors } from '../../accounts/second-factor.ts';
import { toPublicKeyFile } from '../../reviews/personal-info/key.ts';
import { Tally, countOf } from '../check.ts';
import type { Check, Site } from '../check.ts';

const COUNTED_MAX = 1_000;

/** The files of `DATA_DIR/secrets` that a start makes, and what was sealed with an earlier one. */
export const secrets: Check = {
  name: 'secrets',
  priority: 'critical',
  consoleText: '署名の鍵に問題があります',
  async run(site) {
    if (!(await hasStarted(site))) return [];
    const [missing, damaged, unopenable] = [new Tally(), new Tally(), new Tally()];
    for (const [name, isThere] of listSecrets(site)) {
      try {
        if (!isThere()) missing.add(name);
      } catch (error) {
        damaged.add(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    for (const id of await findUnopenable(site)) unopenable.add(`member ${id}`);
    return [
      ...missing.diagnose({
        kind: 'missing',
        found: (count) => `${countOf(count, 'file')} of DATA_DIR/secrets is missing.`,
        meaning:
          'A running server still has them in memory. The next start makes new ones: then signed links and known devices end, second factors cannot be used, and certificates get another key. (After an upgrade, a new secret is missing until the first start.)',
        remedy: 'Copy them from where you keep the keys (docs/backups.md) before you restart the server.',
      }),
      ...damaged.diagnose({
        kind: 'damaged',
        found: (count) => `${countOf(count, 'file')} of DATA_DIR/secrets cannot be used.`,
        meaning: 'The server does not start with it.',
        remedy:
          'Copy it from where you keep the keys. If there is no copy, delete it: the next start makes a new one.',
      }),
      ...unopenable.diagnose({
        kind: 'other-secret',
        found: (count) => `The second factor of ${countOf(count, 'member')} was sealed with another secret.`,
        meaning:
          'The secrets were lost and made again, or SECRET_KEY was changed. These members cannot give a code.',
        remedy:
          'Copy DATA_DIR/secrets or SECRET_KEY from where you keep the keys, or reset their second factors by command.',
      }),
    ];
  },
};

/** Before its first start a site has no secrets. */
async function hasStarted(site: Site): Promise<boolean> {
  const place = listMarkedPlaces(site.settings).find(({ folder }) => folder === 'data');
  return place === undefined || (await readMarker(await site.openDatabase(), place)).state !== 'unmarked';
}

/** Names with whether the secret is there, which throws for a damaged one. */
function listSecrets({ settings }: Site): readonly (readonly [string, () => boolean])[] {
  const publicFile = toPublicKeyFile(settings.dataDir);
  return [
    ...SECRET_NAMES.map((name) => [name, () => findSecret(settings, name) !== undefined] as const),
    ...(settings.personalInfoPublicKey === null
      ? [['personal-info.pub', () => readSealingKey(publicFile) !== undefined] as const]
      : []),
  ];
}

async function findUnopenable(site: Site): Promise<readonly string[]> {
  const sessionSecret = findUsable(site);
  if (sessionSecret === undefined) return [];
  return listUnopenableSecondFactors({ database: await site.openDatabase(), sessionSecret }, COUNTED_MAX);
}

/** Undefined for a missing or damaged one, which is reported already. */
function findUsable({ settings }: Site): Uint8Array | undefined {
  try {
    return findSecret(settings, 'sessions');
  } catch {
    return undefined;
  }
}
