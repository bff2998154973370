import { sql } from 'kysely';
import type { OpenedPlatform } from './open-platform.ts';
import { createOutages } from './outages.ts';
import { shortenErrors } from './platform/log.ts';
import type { Log } from './platform/log.ts';
import { checkStorage } from './platform/storage/open.ts';
import type { Settings } from './settings.ts';
import { createReadiness } from './web/readiness.ts';
import type { Readiness } from './web/readiness.ts';

/** An object that need not exist: to find out so, the storage has to answer. */
const PROBED_KEY = 'probe/recovery';

export interface Health {
  readonly checkReadiness: () => Promise<Readiness>;
  /** Ends the reports of recovery. */
  close(): void;
}

/** The checks of `/readyz`, and those that detect the end of an outage for the log. */
export function openHealth(
  { platform: { database, storage }, diskSpace }: OpenedPlatform,
  settings: Pick<Settings, 'dataDir' | 'storage'>,
  log: Log,
): Health {
  const queryDatabase = () => sql`select name from migrations limit 1`.execute(database.db);
  const checkReadiness = createReadiness(
    {
      database: { check: queryDatabase },
      disk: { check: () => diskSpace.check(settings.dataDir) },
      // Pages, and all that is in the database, work without it; on another machine it would be away as well.
      storage: { check: () => checkStorage(settings.storage), isReportOnly: true },
    },
    log,
  );
  const outages = createOutages();
  // An outage fails hundreds of calls; the log has one line a minute with the cause.
  shortenErrors(log, (error) => outages.note(error));
  const close = outages.follow(
    { database: queryDatabase, busy: queryDatabase, storage: () => storage.has(PROBED_KEY) },
    (outage) => log.info(outage, 'what failed works again'),
  );
  return { checkReadiness, close };
}
