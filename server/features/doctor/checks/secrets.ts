import { SECRET_NAMES, findSecret, toPublicKeyFile } from '../../../platform/crypto/secrets.ts';
import { readSealingKey } from '../../../platform/crypto/sealed-keys.ts';
import { listMarkedPlaces, readMarker } from '../../../platform/storage/markers.ts';
import { Tally, countOf } from '../check.ts';
import type { Check, Site } from '../check.ts';
import { SECRETS } from '../parts.ts';

/** The part of the platform: the files. */
export const secrets: Check = {
  ...SECRETS,
  async run(site) {
    if (!(await hasStarted(site))) return [];
    const [missing, damaged] = [new Tally(), new Tally()];
    for (const [name, isThere] of listSecrets(site)) {
      try {
        if (!isThere()) missing.add(name);
      } catch (error) {
        damaged.add(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
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
