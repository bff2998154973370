/** One figure that a part of the server reports to Prometheus. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  /** A counter only grows; a gauge by default. */
  readonly type?: 'counter';
  /** The name of its label, and all values that it may have: each is a series that Prometheus keeps. */
  readonly label?: { readonly name: string; readonly values: readonly string[] };
}

/** By value of the label, or alone. Undefined: there is no such figure now. */
export type MetricValue = number | Readonly<Partial<Record<string, number>>> | undefined;

/** Metrics that are read together. A feature lists its own in its module. */
export interface MetricSource {
  readonly metrics: readonly Metric[];
  /** By name. After a rejection the previous values stay if `isKept`; otherwise there are none. */
  read(): Promise<Readonly<Record<string, MetricValue>>>;
  /** Reads the database: is read every 15 seconds at most, and the growing age of its values is a metric. */
  readonly isKept?: true;
}

/** Prometheus counts in seconds. `ms` is an epoch in ms; 0 for never. */
export function toSeconds(ms: number | null | undefined): number {
  return (ms ?? 0) / 1_000;
}
