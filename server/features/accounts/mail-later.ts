import type { Platform } from '../../platform/http/http.ts';

const DELAY_MS_MAX = 1_000;

/**
 * Mails after the call is answered, at a random moment within a second: neither the time of the answer nor the load
 * seen from outside tells whether there was anything to mail. Logs a failure as `failure`. A process that is killed in
 * between mails nothing.
 */
export function mailLater(
  { afterwork, logger }: Pick<Platform, 'afterwork' | 'logger'>,
  failure: string,
  mail: () => Promise<void>,
): void {
  afterwork.start(async () => {
    try {
      await mail();
    } catch (error) {
      logger.error({ err: error }, failure);
    }
  }, Math.random() * DELAY_MS_MAX);
}
