/** A process that claims due mails, reports it, and never sends them. */
import { pino } from 'pino';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { createOutbox } from '#server/features/mail/outbox.ts';

const [location, nowMs] = process.argv.slice(2);
const outbox = createOutbox({
  database: await openDatabase(JSON.parse(location ?? '') as DatabaseLocation),
  transport: {
    send({ id }) {
      process.send?.(id);
      return new Promise(() => setInterval(() => undefined, 60_000));
    },
    close: () => Promise.resolve(),
  },
  clock: { now: () => Number(nowMs) },
  log: pino({ level: 'silent' }),
});
await outbox.sendDue(new AbortController().signal);
