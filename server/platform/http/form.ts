import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import busboy from 'busboy';
import type { FormShape } from '../../../contract/calls/endpoint.ts';
import type { TemporaryFile, TemporaryFiles } from '../storage/temporary-files.ts';
import { toFileName } from './form-file-names.ts';
import {
  PARTS_MAX,
  TEXT_BYTES_MAX,
  checkFormHead,
  findPartProblem,
  refused,
  toBodyBytesMax,
  tooLarge,
  tooLong,
  tooManyParts,
  unreadable,
} from './form-limits.ts';
import { Problem } from './problem.ts';

/** A file of a form, on disk until the call is answered. */
export interface FormFile {
  /** The client's file name, fit for display; may be ''. */
  readonly filename: string;
  readonly sizeBytes: number;
  /** Contains the bytes as received, or ciphertext if the endpoint's files are sealed. */
  readonly path: string;
  /** The bytes as received. */
  read(): Promise<Buffer>;
}

/** By part name; only names of the endpoint's shape. */
export interface Form {
  readonly files: ReadonlyMap<string, FormFile>;
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

/** Returns a required, non-empty file. Throws `Problem` 400 that names it. */
export function requireFile({ files }: Form, name: string): FormFile {
  const file = files.get(name);
  if (file === undefined || file.sizeBytes === 0) throw refused(name, 'ファイルを選んでください。');
  return file;
}

/** Where the files of a form are stored. */
export interface FormResources {
  readonly temporaryFiles: TemporaryFiles;
  readonly areSealed: boolean;
  /** Called before the first file is created; returns a function that is called when all are deleted. */
  acquireSlot(): () => void;
}

/**
 * Reads a call's form, streams its files to disk and passes it to `use`; the files are deleted afterwards in any case.
 * Throws `Problem` for a form that does not match `shape` (400, 413 or 415), and before writing a file if the disk has
 * no room for it.
 */
export async function withForm<Result>(
  request: Request,
  shape: FormShape,
  { temporaryFiles, areSealed, acquireSlot }: FormResources,
  use: (form: Form) => Promise<Result>,
): Promise<Result> {
  checkFormHead(request.headers, shape);
  const made: TemporaryFile[] = [];
  let releaseSlot: (() => void) | undefined;
  async function makeFile(expectedBytes: number): Promise<TemporaryFile> {
    releaseSlot ??= acquireSlot();
    const file = await temporaryFiles.make(areSealed, expectedBytes);
    made.push(file);
    return file;
  }
  try {
    return await use(await readForm(request, shape, makeFile));
  } finally {
    await Promise.all(made.map((file) => file.remove())).finally(releaseSlot);
  }
}

async function readForm(
  { body, headers }: Request,
  shape: FormShape,
  makeFile: (bytesToCome: number) => Promise<TemporaryFile>,
): Promise<Form> {
  const texts = new Map<string, string[]>();
  const storing: Promise<[name: string, file: FormFile] | undefined>[] = [];
  let failure: unknown;
  let parts = 0;
  const bytesMax = toBodyBytesMax(shape);
  const declaredBytes = Number(headers.get('content-length') ?? bytesMax);
  let bytes = 0;
  const parser = openParser(headers, shape);
  if (body === null) throw unreadable();

  /** The first reason counts. Deferred, because the parser calls this while it is working. */
  function fail(reason: unknown): void {
    failure ??= reason;
    process.nextTick(() => parser.destroy(unreadable()));
  }

  /** Disk errors end the call here; the pipeline reports errors in the content. */
  async function store(
    name: string,
    content: Readable,
    filename: string,
    before: readonly Promise<unknown>[],
  ): Promise<[string, FormFile] | undefined> {
    const failOnError = <Value>(work: Promise<Value>) =>
      work.catch((error: unknown) => {
        fail(error);
        throw error;
      });
    let sizeBytes = 0;
    // The files of a form arrive one after the other; each reservation ends before the next one starts.
    await Promise.all(before);
    try {
      const file = await failOnError(makeFile(Math.max(0, declaredBytes - bytes)));
      for await (const chunk of content as AsyncIterable<Buffer>) {
        sizeBytes += chunk.byteLength;
        await failOnError(file.append(chunk));
      }
      await failOnError(file.close());
      return [name, { filename, sizeBytes, path: file.path, read: () => file.read() }];
    } catch {
      content.destroy();
      return undefined;
    }
  }

  const seen = new Set<string>();
  function checkPart(name: string | undefined, kind: 'file' | 'text'): name is string {
    parts += 1;
    const problem = parts > PARTS_MAX ? tooManyParts() : findPartProblem(name, kind, shape, seen);
    if (problem !== undefined) fail(problem);
    return problem === undefined;
  }

  parser.on('file', (name: string | undefined, content, { filename }) => {
    content.on('error', () => undefined);
    if (!checkPart(name, 'file')) return void content.resume();
    seen.add(name);
    content.once('limit', () => fail(tooLarge(name, shape.fileBytesMax)));
    storing.push(store(name, content, toFileName(filename), [...storing]));
  });
  parser.on('field', (name: string | undefined, text, { valueTruncated }) => {
    if (!checkPart(name, 'text')) return;
    if (valueTruncated) fail(tooLarge(name, TEXT_BYTES_MAX));
    texts.set(name, [...(texts.get(name) ?? []), text]);
  });
  parser.on('partsLimit', () => fail(tooManyParts()));

  async function* count(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      if (bytes + chunk.byteLength > bytesMax) throw tooLong(shape);
      yield chunk;
      bytes += chunk.byteLength;
    }
  }
  try {
    await pipeline(Readable.fromWeb(body as ReadableStream<Uint8Array>), count, parser);
  } catch (error) {
    failure ??= error instanceof Problem ? error : unreadable();
  }
  const stored = await Promise.all(storing);
  if (failure !== undefined) throw failure;
  return { files: new Map(stored.filter((file) => file !== undefined)), texts };
}

/** One byte or part above each limit, because the parser's limits are exclusive. */
function openParser(headers: Headers, { fileBytesMax }: FormShape): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': headers.get('content-type') ?? '' },
      defParamCharset: 'utf8',
      limits: { fileSize: fileBytesMax + 1, fieldSize: TEXT_BYTES_MAX + 1, parts: PARTS_MAX + 1 },
    });
  } catch {
    throw unreadable();
  }
}
