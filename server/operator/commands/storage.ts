import { BucketError } from '../../platform/storage/s3/check-texts.ts';
import { requireBucket, toStorageLocation } from '../../platform/storage/open.ts';
import type { MissingAbility } from '../../platform/storage/s3/check.ts';
import type { StorageLocation } from '../../platform/storage/port.ts';
import { parseSettings } from '../../settings.ts';
import type { CommandCall, Commands } from '../command.ts';
import { createProgressLine, toSize } from '../progress.ts';
import { Refusal, UsageError } from '../refusals.ts';
import { describeLocation, moveStorage } from '../storage-move.ts';

export const storage: Commands = {
  move: {
    target: 'FROM',
    secondTarget: 'TO',
    flags: ['verify'],
    reads: true,
    about:
      'copy all files to another folder or s3:// address while the server runs; repeat it after the switch; --verify only compares',
    async run(call) {
      const { context, flags, print } = call;
      const { s3Credentials } = context.settings;
      const from = parseLocation('FROM', call.target, s3Credentials);
      const to = parseLocation('TO', call.secondTarget, s3Credentials);
      const verifiesOnly = flags.has('verify');
      await requireUsable(from);
      for (const { found, loss } of await requireUsable(to)) print(`${found} ${loss}`);
      const line = createProgressLine();
      const result = await moveStorage(context.database, {
        from,
        to,
        verifiesOnly,
        onProgress: (files, bytes) => line.show(files, bytes),
      }).finally(() => line.end());
      const { copied, same, bytes, different, differentCount, foreign } = result;
      if (foreign > 0) print(`Not copied, because they were not made by this program: ${foreign} files.`);
      if (verifiesOnly) {
        for (const key of different) print(`Missing or different: ${key}`);
        print(`${same} files are the same in ${describeLocation(to)}, ${differentCount} are not.`);
        return differentCount === 0 ? 0 : 1;
      }
      print(
        `${copied} files copied to ${describeLocation(to)}, ${same} were there; ${toSize(bytes)} compared.`,
      );
      print(toNextStep(call, to));
      return 0;
    },
  },
};

/** The error of a wrong address does not repeat it: it may have a secret. */
function parseLocation(
  name: string,
  text: string,
  credentials: CommandCall['context']['settings']['s3Credentials'],
): StorageLocation {
  const location = toStorageLocation(text, credentials);
  if (typeof location === 'string') throw new UsageError(`${name} ${location}`);
  return location;
}

async function requireUsable(location: StorageLocation): Promise<readonly MissingAbility[]> {
  if (location.kind === 'folder') return [];
  return requireBucket(location.bucket).catch((error: unknown) => {
    if (error instanceof BucketError) throw new Refusal(error.message.replace('STORAGE_URL: ', ''));
    throw error;
  });
}

function toNextStep({ context: { settings } }: CommandCall, to: StorageLocation): string {
  const folder = parseSettings({ DATA_DIR: settings.dataDir }).storage;
  const change =
    to.kind === 's3'
      ? 'set STORAGE_URL to the address of TO'
      : folder.kind === 'folder' && folder.path === to.path
        ? 'leave STORAGE_URL empty'
        : `move the folder to ${folder.kind === 'folder' ? folder.path : ''} and leave STORAGE_URL empty`;
  return (
    `To switch: ${change}, and restart every server process. Then run the same command once more for the files that ` +
    'were stored meanwhile, and with --verify to compare. Nothing was deleted in FROM.'
  );
}
