import type { ChildProcess } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createSound } from '../../server/features/catalogue/service.ts';
import { forEachField } from '../../server/features/catalogue/sound-fields.ts';
import type { FieldName } from '../../server/features/catalogue/sound-fields.ts';
import { openDatabase } from '../../server/schema/open.ts';
import { startPinned, stopServer } from '../load.ts';
import { NODE_OPTIONS } from '../../tests/support/processes/node-options.ts';
import type { SiteName } from './figures.ts';
import { everyTable } from '../../server/platform/database/schema.ts';

/** A catalogue large enough for 500 full pages that differ. */
const SOUNDS = 2_000;
const PORTS = { yardstick: 4_795, ours: 4_796, remote: 4_797, api: 4_798 };
/** As in the files of `deploy`. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };

export interface Sites {
  readonly servers: Readonly<Record<SiteName, ChildProcess>>;
  stop(): Promise<void>;
}

export function toUrl(name: keyof typeof PORTS): string {
  return `http://127.0.0.1:${PORTS[name]}`;
}

/** Copies a demo's data folder into `folder`, and copies its sounds until there are 2,000; none has a file of its own. */
export async function prepareData(demoData: string, folder: string): Promise<void> {
  await cp(demoData, join(folder, 'ours'), { recursive: true });
  const database = await openDatabase({ kind: 'sqlite', file: join(folder, 'ours', 'site.sqlite') });
  try {
    const { db } = database;
    const sounds = await everyTable(db)
      .selectFrom('sounds')
      .selectAll()
      .where('is_published', '=', 1)
      .orderBy('seq')
      .execute();
    const labels = await everyTable(db).selectFrom('sound_sub_genres').selectAll().execute();
    // Whole copies of the catalogue: the first page shows the same cards as before.
    const copies = Math.ceil(SOUNDS / sounds.length) - 1;
    for (const sound of Array.from({ length: copies }, () => sounds).flat()) {
      const {
        seq,
        id: _id,
        updated_at: _at,
        popularity: _popularity,
        content_hash: _hash,
        ...others
      } = sound;
      await createSound(database, {
        ...others,
        // What artists say is not part of the comparison.
        ...forEachField<Record<FieldName, undefined>>(() => undefined),
        is_published: true,
        is_ai_generated: sound.is_ai_generated === 1,
        sub_genre_ids: labels.filter((label) => label.sound_seq === seq).map((label) => label.sub_genre_id),
      });
    }
    // Otherwise the servers would hear and read 1,900 sounds while they are measured.
    for (const table of ['undecoded_sounds', 'unpronounced_sounds'] as const)
      await everyTable(db).deleteFrom(table).execute();
  } finally {
    await database.close();
  }
  for (const name of ['api', 'remote'])
    await cp(join(folder, 'ours'), join(folder, name), { recursive: true });
}

export interface SiteOptions {
  /** The folder of the sites' data. */
  readonly folder: string;
  /** Another checkout, which serves the third site with its own API. */
  readonly against?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the yardstick, two of our servers and the API of the second. The three share core 0, the API has core 1. */
export async function startSites({ folder, against, env = {} }: SiteOptions): Promise<Sites> {
  const started: ChildProcess[] = [];
  const start = async (name: keyof typeof PORTS, own: Readonly<Record<string, string>>) => {
    const server = await startPinned({
      args:
        name === 'yardstick'
          ? [...NODE_OPTIONS, 'bench/pairs.ts', 'yardstick', toUrl('ours'), String(PORTS[name])]
          : [...NODE_OPTIONS, 'server/start.ts'],
      env: {
        ...ALLOCATOR,
        RATE_LIMITS: 'off',
        DATA_DIR: join(folder, name),
        PORT: String(PORTS[name]),
        ...own,
      },
      url: toUrl(name),
      logFile: join(folder, 'log'),
      core: name === 'api' ? 1 : 0,
      folder: name === 'remote' ? against : undefined,
    });
    started.push(server);
    return server;
  };
  const stop = async () => {
    await Promise.all(started.map(stopServer));
  };
  try {
    const ours = await start('ours', env);
    if (against === undefined) await start('api', { WEB_ORIGIN: toUrl('remote') });
    const remote = await start('remote', against === undefined ? { API_ORIGIN: toUrl('api'), ...env } : env);
    const yardstick = await start('yardstick', {});
    return { servers: { yardstick, ours, remote }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
