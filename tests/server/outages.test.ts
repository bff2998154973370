import { createConnection } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createOutages } from '#server/outages.ts';
import { createLog, shortenErrors } from '#server/platform/log.ts';
import { StorageUnavailable } from '#server/platform/storage/port.ts';
import { WriteQueueError } from '#server/platform/database/drivers/failure.ts';

function openTestLog() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const outages = createOutages();
  shortenErrors(log, (error) => outages.note(error));
  return { log, lines, outages };
}

/** The error of a connection that nothing accepts, as a driver reports it. */
const refused = await new Promise<Error>((resolve) => {
  createConnection({ host: '127.0.0.1', port: 1 }).once('error', resolve);
});

test('an outage is one line a minute for each cause, without stacks, however many calls fail', async () => {
  const { log, lines } = openTestLog();
  const failTogether = () => {
    for (let call = 0; call < 500; call += 1) {
      log.error({ err: refused, requestId: String(call) }, 'api call failed');
      log.warn({ err: new StorageUnavailable('the storage answered 503') }, 'request failed');
    }
  };
  failTogether();
  expect(lines).toMatchObject([
    { msg: 'api call failed', requestId: '0', cause: 'database', reason: 'connect ECONNREFUSED 127.0.0.1:1' },
    { msg: 'request failed', cause: 'storage', reason: 'the storage answered 503' },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/"err"|stack/);
  vi.advanceTimersByTime(59_000);
  failTogether();
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(1_001);
  failTogether();
  expect(lines.slice(2)).toMatchObject([
    { cause: 'database', suppressed: 999 },
    { cause: 'storage', suppressed: 999 },
  ]);
});

test('a fault of the program keeps its stack, also during an outage', () => {
  const { log, lines } = openTestLog();
  log.error({ err: refused }, 'api call failed');
  for (let call = 0; call < 3; call += 1) log.error({ err: new TypeError('x is not a function') }, 'failed');
  log.error({ err: Object.assign(new Error('full'), { code: 'ENOSPC' }) }, 'failed');
  log.info('listening');
  expect(lines.slice(1)).toMatchObject([
    ...Array.from({ length: 3 }, () => ({ err: { stack: expect.stringContaining('outages.test.ts') } })),
    { err: { code: 'ENOSPC' } },
    { msg: 'listening' },
  ]);
});

test('recovery is one line, when the cause answers again and nothing has failed for ten seconds', async () => {
  const { log, lines, outages } = openTestLog();
  let isDown = true;
  let asked = 0;
  const probe = async () => {
    asked += 1;
    if (isDown) throw refused;
  };
  const end = outages.follow({ database: probe, busy: probe, storage: () => Promise.resolve() }, (outage) =>
    log.info(outage, 'what failed works again'),
  );
  onTestFinished(end);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(0);
  log.error({ err: refused }, 'api call failed');
  log.error({ err: refused }, 'api call failed');
  // Nobody calls at night: the probe notes that it goes on.
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(lines).toHaveLength(1);
  isDown = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(lines.slice(1)).toMatchObject([
    { level: 30, cause: 'database', suppressed: 1, seconds: expect.closeTo(3_600, -2) },
  ]);
  asked = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(0);
  log.error({ err: refused }, 'api call failed');
  expect(lines).toHaveLength(3);
});

test('a database that is only busy is another cause than one that is away', () => {
  const { log, lines } = openTestLog();
  log.warn({ err: new WriteQueueError('too many writes are waiting') }, 'api call failed');
  log.error({ err: refused }, 'api call failed');
  expect(lines.map(({ cause }) => cause)).toEqual(['busy', 'database']);
});
