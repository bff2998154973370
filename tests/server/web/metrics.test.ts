import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createMetrics } from '#server/metrics.ts';
import { toStateMetrics } from '#server/site-state.ts';
import { toRequestKind } from '#server/web/metrics/request-kinds.ts';
import { startHost } from '#support/http/host.ts';
import { everyTable } from '#server/platform/database/schema.ts';

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startMeasured() {
  const port = await findFreePort();
  const host = await startHost({ env: { METRICS_PORT: String(port) } });
  const address = `http://127.0.0.1:${port}`;
  const read = async () => (await fetch(`${address}/metrics`)).text();
  return { ...host, address, read };
}

/** Samples by name and labels. Throws for a line that is not in the text format 0.0.4. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || /^# (?:HELP|TYPE) [a-z_:][\w:]* \S/.test(line)) continue;
    const [, name, value] =
      /^([a-z_:][\w:]*(?:\{(?:[a-z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*\})?) (\S+)$/.exec(line) ?? [];
    // Prometheus accepts NaN in any case (strconv.ParseFloat).
    if (name === undefined || !/^(?:nan|[+-]?inf|[-+\d.e]+)$/i.test(value ?? ''))
      throw new Error(`not a sample: ${line}`);
    samples.set(name, Number(value));
  }
  return samples;
}

test('nothing listens unless a port is set', async () => {
  const { settings, getRaw } = await startHost();
  expect(settings.metrics).toBe(null);
  const { body } = await getRaw('/metrics');
  expect(body.toString()).not.toContain('# TYPE');
});

test('requests are counted by kind, route and status, with their durations', async () => {
  const { getRaw, read } = await startMeasured();
  for (const path of [
    '/sounds',
    '/sounds',
    '/api/sounds/',
    '/api/sounds/none',
    '/api/wrong',
    '/healthz',
    '/readyz/',
    '/media/x',
  ])
    await getRaw(path);
  const samples = parse(await read());
  expect(samples.get('http_requests_total{kind="page",route="",status="2xx"}')).toBe(2);
  expect(samples.get('http_requests_total{kind="api",route="GET /api/sounds/",status="2xx"}')).toBe(1);
  expect(samples.get('http_requests_total{kind="api",route="GET /api/sounds/{id}/",status="4xx"}')).toBe(1);
  expect(samples.get('http_requests_total{kind="api",route="unknown",status="4xx"}')).toBe(1);
  expect(samples.get('http_requests_total{kind="health",route="",status="2xx"}')).toBe(2);
  expect(samples.get('http_requests_total{kind="media",route="",status="4xx"}')).toBe(1);
  expect(samples.get('http_request_duration_seconds_count{kind="page",route=""}')).toBe(2);
  expect(samples.get('site_page_cache_requests_total{result="miss"}')).toBe(1);
  expect(samples.get('site_page_cache_requests_total{result="hit"}')).toBe(1);
});

test('the state of the process and of the site is included', async () => {
  const { read, database } = await startMeasured();
  await everyTable(database.db).insertInto('mail_outbox').values(toMail('waiting')).execute();
  const samples = parse(await read());
  for (const name of [
    'process_resident_memory_bytes',
    'process_open_fds',
    'nodejs_eventloop_lag_p99_seconds',
    'site_page_cache_bytes',
    'site_state_age_seconds',
    'site_queue_length{queue="page-admission"}',
    'site_queue_length{queue="api-admission"}',
    'site_queue_length{queue="background-jobs"}',
    'site_waiting{queue="quality-checks"}',
    'site_waiting{queue="personal-info"}',
    'site_waiting{queue="transfers"}',
    'site_waiting{queue="credits"}',
    'site_waiting{queue="reports"}',
    'site_undecoded_sounds{state="leased"}',
    'site_mails{state="failed"}',
    'site_ledger_yen{account="artists"}',
  ])
    expect(samples.has(name), name).toBe(true);
  expect(samples.get('site_mails{state="waiting"}')).toBe(1);
});

test('random paths and methods create no label values', async () => {
  const { getRaw, url, read } = await startMeasured();
  const before = parse(await read()).size;
  for (let index = 0; index < 200; index += 1) {
    const random = Math.random().toString(36);
    for (const path of [
      `/${random}`,
      `/api/${random}`,
      `/api/sounds/${random}/${random}`,
      `/_/${random}?${random}`,
    ])
      await getRaw(path);
  }
  for (const method of ['PURGE', 'PROPFIND', 'REPORT']) await fetch(url, { method });
  const text = await read();
  expect(text).not.toMatch(/route="[^"]*0\./);
  // Each kind has some statuses and one histogram of 14 samples.
  expect(parse(text).size - before).toBeLessThan(100);
});

test('only GET and HEAD of /metrics are answered', async () => {
  const { address } = await startMeasured();
  const ask = async (path: string, method = 'GET') => (await fetch(address + path, { method })).status;
  expect(await ask('/metrics')).toBe(200);
  expect(await ask('/metrics', 'HEAD')).toBe(200);
  expect(await ask('/metrics/')).toBe(200);
  expect(await ask('/metrics?collect=all')).toBe(200);
  expect(await ask('/metrics', 'POST')).toBe(405);
  for (const path of ['/', '/metricsx', '/metrics/x', '/sounds', '/api/site-config'])
    expect(await ask(path)).toBe(404);
});

test('the database is asked every 15 seconds at most, and old values stay when it fails', async () => {
  let asked = 0;
  let nowMs = 0;
  let isBroken = false;
  const state = {
    waiting: { 'quality-checks': 3, 'personal-info': 0, transfers: 0 },
    mails: { waiting: 0, failed: 0 },
    undecodedSounds: { waiting: 0, leased: 0, failed: 0 },
    ledgerYen: { artists: 0, 'transfers-held': 0, 'paid-out': 0, rewards: 0 },
  };
  const metrics = createMetrics({
    isStaticFile: () => false,
    queues: {},
    now: () => nowMs,
    sources: [
      toStateMetrics(async () => {
        asked += 1;
        if (isBroken) throw new Error('the database does not answer');
        return state;
      }),
    ],
  });
  await Promise.all([metrics.read(), metrics.read()]);
  nowMs = 14_999;
  await metrics.read();
  expect(asked).toBe(1);
  nowMs = 15_000;
  isBroken = true;
  const samples = parse(await metrics.read());
  expect(asked).toBe(2);
  expect(samples.get('site_waiting{queue="quality-checks"}')).toBe(3);
  expect(samples.get('site_state_age_seconds')).toBe(15);
});

test('a call is counted under its declared route, also if it is refused before', async () => {
  const { url, read } = await startMeasured();
  const countOf = async (route: string) => {
    const counts = [...parse(await read())].filter(
      ([name]) => name.startsWith('http_requests_total{') && name.includes(`route="${route}"`),
    );
    return counts.reduce((sum, [, count]) => sum + count, 0);
  };
  const expectRoute = async (route: string, method: string, path: string) => {
    const before = await countOf(route);
    await (await fetch(url + path, { method })).text();
    await expect.poll(() => countOf(route), { message: path }).toBe(before + 1);
  };
  await expectRoute('GET /api/sounds/types/', 'GET', '/api/sounds/types?x');
  await expectRoute('GET /api/sounds/{id}/', 'HEAD', '/api/sounds/abc');
  const favorite = 'POST /api/sounds/{id}/toggle-favorite';
  await expectRoute(favorite, 'POST', '/api/sounds/types/toggle-favorite/');
  await expectRoute('unknown', 'PUT', '/api/sounds/abc');
  await expectRoute('unknown', 'GET', `/api/${'a/'.repeat(5_000)}`);
  expect(toRequestKind('/favicon.svg?x', (path) => path === '/favicon.svg')).toBe('static');
});

function toMail(state: 'waiting') {
  const mail = { id: 'mail', to_address: 'a@example.test', reply_to: null, subject: '', text: '', html: '' };
  return { ...mail, state, created_at: 0, next_attempt_at: Date.now() + 3_600_000, finished_at: null };
}

test('a source cannot add values of its label, and its failure hides its own values alone', async () => {
  let isBroken = false;
  const label = { name: 'kind', values: ['known'] };
  const metrics = createMetrics({
    isStaticFile: () => false,
    queues: {},
    sources: [
      {
        metrics: [{ name: 'one_total', help: 'One.', type: 'counter', label }],
        read: async () => ({ one_total: { known: 3, 'from-a-visitor': 5 } }),
      },
      {
        metrics: [{ name: 'two', help: 'Two.' }],
        async read() {
          if (isBroken) throw new Error('no');
          return { two: 2 };
        },
      },
    ],
  });
  const read = async () => [...parse(await metrics.read())].filter(([name]) => /^(?:one|two)/.test(name));
  const one = ['one_total{kind="known"}', 3];
  expect(await read()).toEqual([one, ['two', 2]]);
  expect(await read()).toEqual([one, ['two', 2]]);
  isBroken = true;
  expect(await read()).toEqual([one]);
});
