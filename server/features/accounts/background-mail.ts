import type { Platform } from '../../platform/http/context.ts';

const DELAY_MS_MAX = 1_000;

/**
 * Sends mail after the reply, at a random moment within one second, so that neither response time nor load discloses
 * whether there was anything to send. Failures are logged as `failure`. If the process is killed in between, no mail is
 * sent.
 */
export function sendMailInBackground(
  { backgroundJobs, logger }: Pick<Platform, 'backgroundJobs' | 'logger'>,
  failure: string,
  mail: () => Promise<void>,
): void {
  backgroundJobs.start(async () => {
    try {
      await mail();
    } catch (error) {
      logger.error({ err: error }, failure);
    }
  }, Math.random() * DELAY_MS_MAX);
}
