import { existsSync } from 'node:fs';
import { readOpeningKeys, readSealingKey, toOpeningKeys } from '../../../platform/crypto/sealed-keys.ts';
import { toPublicKeyFile } from '../../../platform/crypto/secrets.ts';
import type { OpeningKeys } from '../../../platform/crypto/sealed-keys.ts';
import { examineImage } from '../personal-info/images.ts';
import type { ImageFault } from '../personal-info/images.ts';
import { Tally, countOf, diagnose } from '../../doctor/check.ts';
import type { Check, Diagnosis, Site } from '../../doctor/check.ts';
import { own } from '../tables.ts';

/** Each is read and opened. */
const IMAGES_MAX = 1_000;

/** Whether the staff can view the IDs that will be submitted. */
export const personalInfoKeys: Check = {
  name: 'identity keys',
  priority: 'warning',
  stage: 'quick',
  consoleText: '本人確認の鍵に問題があります',
  async run({ settings }) {
    const { personalInfoKeyFile: file, personalInfoPublicKey } = settings;
    if (!existsSync(file)) return personalInfoPublicKey === null ? [toMissing(file)] : [];
    const keys = readOpeningKeys(file);
    const sealing = personalInfoPublicKey ?? readSealingKey(toPublicKeyFile(settings.dataDir));
    if (sealing === undefined || keys.find(sealing.id) !== undefined) return [];
    return [
      diagnose(
        {
          kind: 'other-key',
          found: `The private key in ${file} does not belong to the public key that seals photographs of IDs.`,
          meaning: 'IDs that are submitted from now on cannot be viewed with it.',
          remedy: 'Set PERSONAL_INFO_KEY_FILE to the file of the right key, or add that key to the file.',
        },
        file,
      ),
    ];
  },
};

/** Whether the staff can view the IDs that wait for a decision. */
export const waitingPersonalInfo: Check = {
  name: 'waiting IDs',
  priority: 'critical',
  stage: 'rows',
  skipsCopies: true,
  consoleText: null,
  async run(site) {
    const { db } = await site.openDatabase();
    const storage = await site.openStorage();
    const tallies: Record<ImageFault, Tally> = {
      'no-data-key': new Tally(),
      'no-private-key': new Tally(),
      damaged: new Tally(),
    };
    const openingKeys = findOpeningKeys(site);
    const selectPending = () =>
      own(db)
        .selectFrom('personal_info_submissions')
        .select(['id', 'user_id'])
        .where('state', '=', 'pending');
    const pending = await selectPending().orderBy('submitted_at').limit(IMAGES_MAX).execute();
    for (const { id, user_id } of pending) {
      const fault = await examineImage({ storage, openingKeys }, { submissionId: id, userId: user_id });
      if (fault === undefined) continue;
      // Files of a decision are deleted after it.
      const again = await selectPending().where('id', '=', id).executeTakeFirst();
      if (again !== undefined) tallies[fault].add(`ID ${id}`);
    }
    return Object.entries(tallies).flatMap(([kind, tally]) =>
      tally.diagnose({ ...TEXTS[kind as ImageFault], kind }),
    );
  },
};

/** Null if they are kept where this is not run: the public key is a setting, and no file is here. */
function findOpeningKeys({ settings }: Site): OpeningKeys | null {
  const { personalInfoKeyFile: file, personalInfoPublicKey } = settings;
  if (existsSync(file)) return readOpeningKeys(file);
  return personalInfoPublicKey === null ? toOpeningKeys([]) : null;
}

function toMissing(file: string) {
  return diagnose(
    {
      kind: 'no-private-key',
      found: `There is no private key at ${file}.`,
      meaning: 'Photographs of IDs are still sealed, but nobody can view them here.',
      remedy:
        'Set PERSONAL_INFO_KEY_FILE to the file that holds it. If it is lost, make a new pair with "npm run operator -- personal-info make-key FILE" and set PERSONAL_INFO_PUBLIC_KEY.',
    },
    file,
  );
}

const ASK_AGAIN = 'If there is no copy, reject these IDs and ask for new photographs.';
const TEXTS: Record<ImageFault, Omit<Diagnosis, 'kind'>> = {
  'no-data-key': {
    found: (count) => `The data key of ${countOf(count, 'waiting ID')} is missing.`,
    meaning: 'Nobody can view them: personal-info-keys/ of the storage was lost.',
    remedy: `Restore personal-info-keys/ from where you keep the keys. ${ASK_AGAIN}`,
  },
  'no-private-key': {
    found: (count) => `No private key here opens ${countOf(count, 'waiting ID')}.`,
    meaning: 'They cannot be viewed, and can only be rejected, until the key is found.',
    remedy: `Set PERSONAL_INFO_KEY_FILE to the file that holds it, or restore that file. ${ASK_AGAIN}`,
  },
  damaged: {
    found: (count) => `${countOf(count, 'waiting ID')} or its data key is damaged.`,
    meaning: 'The seal does not fit: the disk or a program has changed the file. It cannot be viewed.',
    remedy: `Check the disk. Restore the file from a backup. ${ASK_AGAIN}`,
  },
};
