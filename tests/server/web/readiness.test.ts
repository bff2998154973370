import { expect, test, vi, onTestFinished } from 'vitest';
import { StorageUnavailable } from '#server/platform/storage/port.ts';
import { createLog } from '#server/platform/log.ts';
import { createReadiness } from '#server/web/readiness.ts';

const fine = () => Promise.resolve();
const away = () =>
  Promise.reject(Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' }));

test('each part is named with its state in a word, and a part that is only shown does not decide', async () => {
  const check = createReadiness(
    {
      database: { check: away },
      disk: { check: () => Promise.reject(Object.assign(new Error('/data is full'), { code: 'ENOSPC' })) },
      storage: { check: () => Promise.reject(new StorageUnavailable('no')), isReportOnly: true },
    },
    createLog('silent', { write: () => undefined }),
  );
  expect(await check()).toEqual({
    isReady: false,
    parts: { database: 'unavailable', disk: 'full', storage: 'unavailable' },
  });
  const degraded = createReadiness(
    {
      database: { check: fine },
      storage: { check: () => Promise.reject(new Error('?')), isReportOnly: true },
    },
    createLog('silent', { write: () => undefined }),
  );
  expect(await degraded()).toEqual({ isReady: true, parts: { database: 'ok', storage: 'failed' } });
});

test('a part that does not answer within two seconds is slow', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const never = new Promise<void>(() => undefined);
  const check = createReadiness(
    { database: { check: () => never }, disk: { check: fine } },
    createLog('silent', { write: () => undefined }),
  );
  const checked = check();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await checked).toEqual({ isReady: false, parts: { database: 'slow', disk: 'ok' } });
});

test('the log has one line for each change, not for each question', async () => {
  let isAway = true;
  const lines: { msg: string }[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const check = createReadiness({ database: { check: () => (isAway ? away() : fine()) } }, log);
  for (let question = 0; question < 50; question += 1) await check();
  isAway = false;
  for (let question = 0; question < 50; question += 1) await check();
  expect(lines.map(({ msg }) => msg)).toEqual(['not ready', 'all parts are ready again']);
});
