import { classifyFailure } from '../../../platform/database/database.ts';
import { diagnose } from '../check.ts';
import type { Check, Finding } from '../check.ts';

export const databaseCheck: Check = {
  name: 'database',
  priority: 'critical',
  isCheap: true,
  endsRun: true,
  async run(site) {
    try {
      const { db } = await site.openDatabase();
      await db.selectFrom('site_config').select('id').limit(1).execute();
      return [];
    } catch (error) {
      return [explain(error)];
    }
  },
};

function explain(error: unknown): Finding {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  if (error instanceof Error && error.name === 'DatabaseVersionError') {
    return diagnose({
      kind: 'other-version',
      found: `The version of the database is not that of this program: ${reason}`,
      meaning: 'Neither the server nor staff commands of this version can use the data as it is.',
      remedy:
        'For an older database run "npm run operator -- upgrade"; for a newer one install the version that made it.',
    });
  }
  const failure = classifyFailure(error);
  return diagnose({
    kind: failure ?? 'unusable',
    found: `The database cannot be used: ${reason}`,
    meaning: 'The site does not work, or does not keep what its members do.',
    remedy:
      'Check that DATA_DIR or DATABASE_URL is that of the server, that the disk or database server works, and that this user may read it. A damaged file has to be restored from a backup.',
  });
}
