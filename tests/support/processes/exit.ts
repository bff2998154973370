import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The exit code of a process, once everything that it wrote has been read. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  const isRead = child.stdio.every((stream) => !stream || stream.closed);
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  if (!hasEnded || !isRead) await once(child, 'close');
  return child.exitCode;
}
