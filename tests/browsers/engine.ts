/** What became of the journeys in one engine. */
export interface EngineResult {
  /** Its name, such as `Firefox`. */
  readonly engine: string;
  readonly version: string;
  /** Journeys that ran, the failed ones included. */
  readonly ran: number;
  readonly failed: number;
  /** Journeys that were left out. */
  readonly left: number;
  /** Why, a line for each cause. */
  readonly reasons: readonly string[];
  /** What makes the run fail beside failed journeys, such as an exception that no journey needs. */
  readonly faults: readonly string[];
}

/** An engine that `npm run browsers` knows. */
export interface Engine {
  /** As on the command line. */
  readonly name: string;
  /** Packages of Debian. */
  readonly packages: readonly string[];
  /** Runs the journeys, of which `filters` choose some, and prints their progress. Rejects when `signal` ends them. */
  run(filters: readonly string[], signal: AbortSignal): Promise<EngineResult>;
}
