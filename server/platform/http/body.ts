import type { Context } from 'hono';
import type * as v from 'valibot';
import type { ApiEnv } from './context.ts';
import { Problem, parseInput } from './problem.ts';

/** The longest JSON of a call that sets no limit of its own: a contact message of 10,000 characters, escaped. */
export const JSON_BYTES_MAX = 64 * 1024;

/**
 * Reads the JSON of a call with its schema. Throws `Problem`: 415 for another content type (a form that another site's
 * page can send), 413 if it is too long, 400 if it is not JSON or does not match.
 */
export async function readJson(
  context: Context<ApiEnv>,
  schema: v.GenericSchema,
  bytesMax = JSON_BYTES_MAX,
): Promise<unknown> {
  const type = (context.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const text = await readText(context.req.raw, bytesMax);
  if (text !== '' && type !== 'application/json') {
    throw new Problem(415, 'Content-Type は application/json にしてください。');
  }
  return parseInput(schema, text === '' ? {} : parse(text));
}

/** Read in chunks, since Content-Length can be missing or wrong. */
async function readText({ body, headers }: Request, bytesMax: number): Promise<string> {
  if (body === null) return '';
  if (Number(headers.get('content-length') ?? 0) > bytesMax) throw tooLong(bytesMax);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw tooLong(bytesMax);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    // Not UTF-8, or the client has disconnected: the request log says so.
    throw error instanceof Problem ? error : noJson();
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON, or nested deeper than the parser goes.
  }
  throw noJson();
}

function noJson(): Problem {
  return new Problem(400, 'リクエストの本文をJSONとして読み取れませんでした。');
}

function tooLong(bytesMax: number): Problem {
  return new Problem(413, `リクエストの本文は${bytesMax / 1024}KBまでです。`);
}
