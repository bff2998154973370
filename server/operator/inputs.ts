import { open } from 'node:fs/promises';
import { cleanLine, countCharacters } from '../../contract/texts.ts';
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

/** An option's text as one line, undefined if not given. Throws `UsageError` if it is blank or too long. */
export function toName(option: string, text: string | undefined, lengthMax: number): string | undefined {
  if (text === undefined) return undefined;
  const line = cleanLine(text);
  if (line === '') throw new UsageError(`--${option} is empty`);
  if (countCharacters(line) > lengthMax) {
    throw new UsageError(`--${option} is limited to ${lengthMax} characters`);
  }
  return line;
}

/** Throws `UsageError`. */
export function toOrder(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new UsageError('--order must be an integer from 0 to 999999');
  return Number(text);
}

/** A row's number. Throws `UsageError`. */
export function toRowNumber(what: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${text}: ${what} must be a number from "list"`);
  return Number(text);
}
