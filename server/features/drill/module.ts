import type { Feature } from '../feature.ts';
import { startDueDrill } from './schedule.ts';
import type { DrillOptions } from './schedule.ts';

/** Backups that the server restores on trial. */
export const drillFeature: Feature<DrillOptions> = {
  name: 'drill',
  openOptions: ({ settings: { dataDir, backups, backupDrillDays, operatorEmail } }) => ({
    site: { dataDir },
    schedule: backups,
    everyDays: backupDrillDays,
    operatorEmail,
  }),
  createModule: (options) => ({
    scheduledJobs: (platform) => [
      // As the backups, in a folder of the machine.
      { name: 'drill', isPerProcess: true, run: () => startDueDrill(platform, options) },
    ],
  }),
};
