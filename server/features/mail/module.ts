import type { Module } from '../../platform/http/module.ts';
import { toSeconds } from '../../platform/metrics.ts';
import { findOldestWaiting } from './queries.ts';

/** The queue of mails; the host sends it (sender.ts). */
export function createMailModule(): Module {
  return {
    name: 'mail',
    metrics: ({ database }) => [
      {
        isKept: true,
        metrics: [
          {
            name: 'site_mail_waiting_since_timestamp_seconds',
            help: 'Since when the mail waits that has waited longest; 0: none waits.',
          },
        ],
        read: async () => ({
          site_mail_waiting_since_timestamp_seconds: toSeconds(await findOldestWaiting(database.db)),
        }),
      },
    ],
  };
}
