import { writeFileSync } from 'node:fs';

/** What every process of `createChild` does first: it ends with the server, and gives way when memory runs out. */
export function beChild(): void {
  // A process manager may signal all processes of the service; only the server decides when the work stops.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  // When memory runs out, the kernel kills this process before the server (Linux only; needs no privilege).
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux.
  }
}
