/** A part of a form; `filename` makes it a file. */
export interface Part {
  readonly name?: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content?: string | Uint8Array;
  /** Replaces the header built from name, filename and type. */
  readonly header?: string;
}

export const BOUNDARY = 'test-boundary-7f3a';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The bytes of a form; `isWhole: false` omits its end. */
export function toFormBytes(parts: readonly Part[], isWhole = true): Buffer {
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${BOUNDARY}\r\n${part.header ?? toHeader(part)}\r\n\r\n`),
    Buffer.from(part.content ?? ''),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat(isWhole ? [...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)] : pieces.slice(0, -1));
}

function toHeader({ name, filename, type }: Part): string {
  const disposition = [
    'Content-Disposition: form-data',
    ...(name === undefined ? [] : [`name="${name}"`]),
    ...(filename === undefined ? [] : [`filename="${filename}"`]),
  ].join('; ');
  return type === undefined ? disposition : `${disposition}\r\nContent-Type: ${type}`;
}

/** Bytes as a chunked body without a length. */
export function toStream(bytes: Uint8Array, pieceBytes = 1_000): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}
