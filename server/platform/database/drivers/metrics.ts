import type { MetricSource } from '../../metrics.ts';
import type { Database } from '../open.ts';

/** Connections of this process to PostgreSQL, and the state of its replica. SQLite has neither. */
export function listDatabaseMetrics({ connections, replica }: Database): readonly MetricSource[] {
  const sources: MetricSource[] = [];
  if (connections !== undefined) {
    const states = ['used', 'idle', 'waiting'];
    sources.push({
      metrics: [
        {
          name: 'site_database_connections',
          help: 'Connections to the database that are used or idle, and calls that wait for one.',
          label: { name: 'state', values: states },
        },
        { name: 'site_database_connections_max', help: 'Connections that this process may open.' },
      ],
      async read() {
        const { max, ...counts } = connections();
        return { site_database_connections: counts, site_database_connections_max: max };
      },
    });
  }
  if (replica !== undefined) {
    sources.push({
      metrics: [
        {
          name: 'site_replica_in_use',
          help: '1: visitors read from the replica; 0: all read from the primary.',
        },
        {
          name: 'site_replica_lag_seconds',
          help: 'How old what the replica has is at most, as of the last check; infinite if it cannot be used.',
        },
      ],
      async read() {
        const { isInUse, lagMs } = replica.describe();
        return { site_replica_in_use: Number(isInUse), site_replica_lag_seconds: lagMs / 1_000 };
      },
    });
  }
  return sources;
}
