import { toSeconds } from '../metrics.ts';
import type { MetricSource } from '../metrics.ts';
import type { DiskSpace } from './disk-space.ts';
import { findBucketUse } from './open.ts';
import type { StorageLocation } from './port.ts';
import { BUCKET_OUTCOMES } from './s3/observed.ts';

/** Free room on the disks of the folders, and the calls to the bucket if there is one. */
export function listStorageMetrics(
  {
    dataDir,
    storage,
    backupDir,
  }: {
    readonly dataDir: string;
    readonly storage: StorageLocation;
    /** Null: none. */
    readonly backupDir: string | null;
  },
  diskSpace: Pick<DiskSpace, 'measureFree'>,
): readonly MetricSource[] {
  const folders: readonly (readonly [string, string])[] = [
    ['data', dataDir],
    ...(storage.kind === 'folder' ? [['files', storage.path] as const] : []),
    ...(backupDir === null ? [] : [['backups', backupDir] as const]),
  ];
  const free = 'site_disk_free_bytes';
  const disks: MetricSource = {
    metrics: [
      {
        name: free,
        help: 'Free bytes on the disk of a folder; none for a folder that is missing.',
        label: { name: 'folder', values: folders.map(([name]) => name) },
      },
    ],
    async read() {
      const found: Partial<Record<string, number>> = {};
      for (const [name, path] of folders) {
        const bytes = await diskSpace.measureFree(path).catch(() => undefined);
        if (bytes !== undefined) found[name] = bytes;
      }
      return { [free]: found };
    },
  };
  if (storage.kind === 'folder') return [disks];
  const use = findBucketUse(storage.bucket);
  const bucket: MetricSource = {
    metrics: [
      {
        name: 'site_bucket_calls_total',
        help: 'Calls to the bucket, each after all of its attempts; that an object does not exist is an answer.',
        type: 'counter',
        label: { name: 'outcome', values: BUCKET_OUTCOMES },
      },
      {
        name: 'site_bucket_seconds_total',
        help: 'Seconds of all calls to the bucket until their answer.',
        type: 'counter',
      },
      {
        name: 'site_bucket_answered_timestamp_seconds',
        help: 'When the bucket last answered this process; 0: never.',
      },
      { name: 'site_bucket_failing', help: '1: the last call to the bucket failed.' },
    ],
    read: async () => ({
      site_bucket_calls_total: use.calls,
      site_bucket_seconds_total: use.seconds,
      site_bucket_answered_timestamp_seconds: toSeconds(use.answeredAtMs),
      site_bucket_failing: Number(use.failure !== null),
    }),
  };
  return [disks, bucket];
}
