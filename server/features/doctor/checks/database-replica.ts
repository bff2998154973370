import { setTimeout as wait } from 'node:timers/promises';
import { REPLICA_LAG_MS_MAX, measureReplica } from '../../../platform/database/replica.ts';
import { openReplica } from '../../../platform/database/open.ts';
import { diagnose } from '../check.ts';
import type { Check } from '../check.ts';

/** Takes as long as the replica needs to catch up. */
export const databaseReplica: Check = {
  name: 'database replica',
  priority: 'warning',
  stage: 'quick',
  consoleText: null,
  async run(site) {
    const { database: location } = site.settings;
    if (location.kind === 'sqlite' || location.replicaUrl === null) return [];
    const { replicaUrl } = location;
    const { db } = await site.openDatabase();
    const measured = await measureReplica(db, () => openReplica(replicaUrl), wait);
    if (measured.state === 'usable') return [];
    const meaning = 'The site works, and the primary answers all reads.';
    if (measured.state === 'unusable') {
      return [
        diagnose({
          kind: 'unusable',
          found: `The replica cannot be used: ${measured.reason}`,
          meaning,
          remedy:
            'Check DATABASE_REPLICA_URL, and that the server it names is a streaming replica of the one in DATABASE_URL.',
        }),
      ];
    }
    return [
      diagnose({
        kind: 'behind',
        found: `The replica is more than ${REPLICA_LAG_MS_MAX / 1_000} s behind.`,
        meaning,
        remedy:
          'See pg_stat_replication on the primary and pg_stat_wal_receiver on the replica: the connection may be lost, or a long query may delay the replica.',
      }),
    ];
  },
};
