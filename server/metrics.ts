import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Log } from './platform/log.ts';
import { listenForMetrics } from './web/metrics/listener.ts';
import type { MetricsListening } from './web/metrics/listener.ts';
import { createClassifier } from './web/metrics/request-kinds.ts';
import type { ApiRoute } from './web/metrics/request-kinds.ts';
import { observeLookups, observeRequests } from './web/metrics/requests.ts';
import type { WebHandler } from './web/handler.ts';
import type { PageCache } from './web/page-cache.ts';
import type { SiteState } from './site-state.ts';

export interface MetricsSources {
  readonly apiRoutes: readonly ApiRoute[];
  isStaticFile(path: string): boolean;
  /** Lengths of queues in this process. */
  readonly queues: Readonly<Record<string, () => number>>;
  /** Undefined when another host has the data. */
  readonly readState: (() => Promise<SiteState>) | undefined;
  /** Epoch ms; for tests. */
  readonly now?: () => number;
}

export interface Metrics {
  observeRequests(handler: WebHandler): WebHandler;
  observePages(pages: PageCache): PageCache;
  /** In Prometheus text format. */
  read(): Promise<string>;
  listen(place: { readonly host: string; readonly port: number }, log: Log): Promise<MetricsListening>;
}

/** However often metrics are read, the database is asked at most this often. */
const STATE_MS = 15_000;

/** Measures this process for Prometheus. Costs nothing until its parts are used. */
export function createMetrics({
  apiRoutes,
  isStaticFile,
  queues,
  readState,
  now = Date.now,
}: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addGauge(registry, 'site_queue_length', 'Work that waits or is in progress in this process.', 'queue', () =>
    Object.entries(queues).map(([name, count]) => [name, count()]),
  );
  const findState = readState && keepState(registry, readState, now);
  if (findState) addStateGauges(registry, findState);
  return {
    observeRequests: (handler) =>
      observeRequests(handler, registry, createClassifier(apiRoutes, isStaticFile)),
    observePages(pages) {
      addGauge(registry, 'site_page_cache_bytes', 'Memory of cached pages.', undefined, () => [
        ['', pages.byteSize],
      ]);
      return observeLookups(pages, registry);
    },
    read: () => registry.metrics(),
    listen: (place, log) =>
      listenForMetrics(place, {
        read: () => registry.metrics(),
        contentType: registry.contentType,
        onError: (err) => log.error({ err }, 'metrics failed'),
      }),
  };
}

/** The state of the last read, read again when it is old; after a failure the one before. */
function keepState(registry: Registry, readState: () => Promise<SiteState>, now: () => number) {
  let state: SiteState | undefined;
  let askedAt = -Infinity;
  let readAt: number | undefined;
  let reading: Promise<void> = Promise.resolve();
  addGauge(
    registry,
    'site_state_age_seconds',
    'Age of the values that come from the database.',
    undefined,
    () => (readAt === undefined ? [] : [['', (now() - readAt) / 1_000]]),
  );
  return async () => {
    if (now() - askedAt >= STATE_MS) {
      askedAt = now();
      reading = readState().then(
        (found) => {
          state = found;
          readAt = now();
        },
        () => undefined, // The growing age reports it.
      );
    }
    await reading;
    return state;
  };
}

function addStateGauges(registry: Registry, findState: () => Promise<SiteState | undefined>): void {
  const add = (
    name: string,
    help: string,
    label: string,
    pick: (state: SiteState) => Record<string, number>,
  ) =>
    addGauge(registry, name, help, label, async () => {
      const state = await findState();
      return state === undefined ? [] : Object.entries(pick(state));
    });
  add('site_waiting', 'Decisions that staff have to make.', 'queue', ({ waiting }) => waiting);
  add('site_mails', 'Mails that wait, or were given up in the last 30 days.', 'state', ({ mails }) => mails);
  add('site_undecoded_sounds', 'Sounds to decode.', 'state', ({ undecodedSounds }) => undecodedSounds);
  add('site_ledger_yen', 'Balances of the ledger.', 'account', ({ ledgerYen }) => ledgerYen);
}

function addGauge(
  registry: Registry,
  name: string,
  help: string,
  label: string | undefined,
  read: () => readonly (readonly [string, number])[] | Promise<readonly (readonly [string, number])[]>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      for (const [value, found] of await read()) {
        if (label === undefined) gauge.set(found);
        else gauge.set({ [label]: value }, found);
      }
    },
  });
}
