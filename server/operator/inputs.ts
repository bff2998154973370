import { open } from 'node:fs/promises';
import { toDay } from '../../contract/values/months.ts';
import { Refusal, UsageError } from './refusals.ts';

/** The content of a file given by the operator. Throws `Refusal` if it cannot be read or is too large. */
export async function readInput(path: string, bytesMax: number): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${path} cannot be read (${error.code})`);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Refusal(`${path} is not a file`);
    if (stats.size > bytesMax) {
      throw new Refusal(`${path} is larger than ${Math.floor(bytesMax / 1024).toLocaleString('en')} KB`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Throws `Refusal` like `readInput`, and for a file that is not UTF-8. */
export async function readText(path: string, bytesMax: number): Promise<string> {
  const bytes = await readInput(path, bytesMax);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${path} is not UTF-8 text`);
  }
}

/** A day in Japanese notation (`toDay`). Throws `UsageError` unless it is in the calendar. */
export function toDayNumber(text: string): number {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== text) {
    throw new UsageError('--day must be a date such as 2026-11-21, in Japan time');
  }
  return toDay(atMs);
}
