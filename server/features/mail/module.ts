import { toSeconds } from '../../platform/metrics.ts';
import type { Feature } from '../feature.ts';
import { MAIL_ERASURE } from './erasure.ts';
import { MAIL_CHECKS } from './checks.ts';
import { MAIL_ROUTES } from './desk.ts';
import { findOldestWaiting } from './queries.ts';

/** The queue of mails; the host sends it (sender.ts). */
export const mailFeature: Feature = {
  name: 'mail',
  checks: MAIL_CHECKS,
  desk: MAIL_ROUTES,
  queues: [
    {
      name: 'failed-mails',
      table: 'mail_outbox',
      states: ['given-up'],
      since: 'created_at',
      order: 'next_attempt_at',
    },
  ],
  erasure: MAIL_ERASURE,
  createModule: () => ({
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
  }),
};
