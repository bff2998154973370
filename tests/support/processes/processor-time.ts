/**
 * The processor time that `run` takes, in ms. Unlike a clock, it does not count other work of the machine.
 * Counts this thread; pass `process.cpuUsage` for work of libuv's threads in a process with nothing else to do.
 */
export async function measureProcessorMs(
  run: () => unknown,
  readUsage: typeof process.cpuUsage = process.threadCpuUsage,
): Promise<number> {
  const before = readUsage();
  await run();
  const { user, system } = readUsage(before);
  return (user + system) / 1_000;
}
