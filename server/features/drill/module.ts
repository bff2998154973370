import type { Module } from '../../platform/http/module.ts';
import { startDueDrill } from './schedule.ts';
import type { DrillOptions } from './schedule.ts';

/** Backups that the server restores on trial. */
export function createDrillModule(options: DrillOptions): Module {
  return {
    name: 'drill',
    scheduledJobs: (platform) => [
      // As the backups, in a folder of the machine.
      { name: 'drill', isPerProcess: true, run: () => startDueDrill(platform, options) },
    ],
  };
}
