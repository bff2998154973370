import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Log } from './platform/log.ts';
import type { Metric, MetricSource, MetricValue } from './platform/metrics.ts';
import { listenForMetrics } from './web/metrics/listener.ts';
import type { MetricsListening } from './web/metrics/listener.ts';
import { observeLookups, observeRequests } from './web/metrics/requests.ts';
import type { WebHandler } from './web/handler.ts';
import type { PageCache } from './web/page-cache.ts';

export interface MetricsOptions {
  isStaticFile(path: string): boolean;
  /** Lengths of queues in this process. */
  readonly queues: Readonly<Record<string, () => number>>;
  /** What the platform and the features report. */
  readonly sources: readonly MetricSource[];
  /** Epoch ms; for tests. */
  readonly now?: () => number;
}

export interface Metrics {
  observeRequests(handler: WebHandler): WebHandler;
  observePages(pages: PageCache): PageCache;
  /** In Prometheus text format. */
  read(): Promise<string>;
  listen(address: { readonly host: string; readonly port: number }, log: Log): Promise<MetricsListening>;
}

/** However often metrics are read, the database is read at most this often. */
const STATE_MS = 15_000;

/** Measures this process for Prometheus. Costs nothing until its parts are used. */
export function createMetrics({ isStaticFile, queues, sources, now = Date.now }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const label = { name: 'queue', values: Object.keys(queues) };
  addMetric(
    registry,
    { name: 'site_queue_length', help: 'Work that waits or is in progress in this process.', label },
    async () => Object.fromEntries(Object.entries(queues).map(([name, count]) => [name, count()])),
  );
  const cachedSources = sources.filter(({ isKept }) => isKept);
  const readAges = cachedSources.map((source) => addSource(registry, source, now));
  const age = { name: 'site_state_age_seconds', help: 'Age of the values that come from the database.' };
  if (cachedSources.length > 0)
    addMetric(registry, age, async () => toOldest(await Promise.all(readAges.map((readAge) => readAge()))));
  for (const source of sources) if (!source.isKept) addSource(registry, source, now);
  return {
    observeRequests: (handler) => observeRequests(handler, registry, isStaticFile),
    observePages(pages) {
      addMetric(
        registry,
        { name: 'site_page_cache_bytes', help: 'Memory of cached pages.' },
        async () => pages.byteSize,
      );
      return observeLookups(pages, registry);
    },
    read: () => registry.metrics(),
    listen: (address, log) =>
      listenForMetrics(address, {
        read: () => registry.metrics(),
        contentType: registry.contentType,
        onError: (err) => log.error({ err }, 'metrics failed'),
      }),
  };
}

/** Undefined until all were read. */
function toOldest(ages: readonly (number | undefined)[]): number | undefined {
  return ages.includes(undefined) ? undefined : Math.max(...ages.map(Number));
}

/** Registers all metrics of a source, which share each read. Returns what reads the age of its values in seconds. */
function addSource(
  registry: Registry,
  source: MetricSource,
  now: () => number,
): () => Promise<number | undefined> {
  let values: Readonly<Record<string, MetricValue>> = {};
  let startedAt = -Infinity;
  let readAt: number | undefined;
  let reading: Promise<void> | undefined;
  const find = async () => {
    if (source.isKept ? now() - startedAt >= STATE_MS : reading === undefined) {
      startedAt = now();
      reading = source.read().then(
        (found) => {
          values = found;
          readAt = now();
        },
        () => {
          // The growing age reports it.
          if (!source.isKept) values = {};
        },
      );
      if (!source.isKept) void reading.finally(() => (reading = undefined));
    }
    await reading;
    return values;
  };
  for (const metric of source.metrics) addMetric(registry, metric, async () => (await find())[metric.name]);
  return async () => {
    await find();
    return readAt === undefined ? undefined : (now() - readAt) / 1_000;
  };
}

/** Values of labels that were not declared are left out: each would be one more series, for ever. */
function addMetric(
  registry: Registry,
  { name, help, type, label }: Metric,
  read: () => Promise<MetricValue>,
): void {
  const options = { name, help, registers: [registry], labelNames: label === undefined ? [] : [label.name] };
  const collected: Counter | Gauge =
    type === 'counter' ? new Counter({ ...options, collect }) : new Gauge({ ...options, collect });
  async function collect(): Promise<void> {
    const found = await read();
    collected.reset();
    if (label === undefined && found === undefined) collected.remove();
    const entries = typeof found === 'number' ? [['', found] as const] : Object.entries(found ?? {});
    for (const [value, amount = NaN] of entries) {
      if (label === undefined) collected.inc(amount);
      else if (label.values.includes(value)) collected.inc({ [label.name]: value }, amount);
    }
  }
}
