import { ApiError } from '../../contract/calls/errors.ts';
import type { NamedFile } from '../browser/save-file.ts';
import { readApiOrigin } from './origin.ts';

const EXTENSIONS: Record<string, string> = { 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a', 'audio/x-m4a': 'm4a' };

/**
 * A file of another origin that this page may not read: the page's policy does not include the origin, or its CORS
 * rules do not allow ours. Browsers report this like an origin that is down. Opening its address needs neither.
 */
export class UnreadableFile extends ApiError {
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(0, [], { cause });
    this.url = url;
  }
}

/** Fetches a file; its name is the reply's, else `fallback` with the type's extension. Throws `ApiError`. */
export async function fetchFile(url: string, fallback: string): Promise<NamedFile> {
  const target = new URL(url, location.origin);
  const response = await fetch(target, { referrerPolicy: 'no-referrer' }).catch((error: unknown) => {
    const isOtherOrigin = target.origin !== location.origin && /^https?:$/.test(target.protocol);
    if (isOtherOrigin && navigator.onLine !== false) throw new UnreadableFile(target.href, error);
    throw new ApiError(0, [], { cause: error });
  });
  if (!response.ok) throw new ApiError(response.status, []);
  const blob = await response.blob();
  const extension = EXTENSIONS[blob.type.split(';', 1)[0] ?? ''] ?? 'mp3';
  const name = readFileName(response.headers.get('content-disposition')) ?? `${fallback}.${extension}`;
  return { blob, name };
}

/** The bytes of a file; rejects one that is larger than `bytesMax`. Throws `ApiError`, or the reason of the signal. */
export async function fetchBytes(url: string, bytesMax: number, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(url, { referrerPolicy: 'no-referrer', signal });
  const isSmall = Number(response.headers.get('content-length')) <= bytesMax;
  if (!response.ok || !isSmall) throw new ApiError(response.status, []);
  return response.arrayBuffer();
}

/** Opens a file in a new tab, for the browser to save or play. Must be called within a press. */
export function openFile(url: string): void {
  window.open(url, '_blank', 'noopener,noreferrer');
}

/** Has the browser download what a path of the API answers as an attachment; no page is left. */
export function downloadFrom(path: string): void {
  const link = document.createElement('a');
  link.href = readApiOrigin() + path;
  link.download = '';
  link.click();
}

/** The name in a Content-Disposition header (RFC 6266; the RFC 8187 form takes precedence). */
function readFileName(header: string | null): string | null {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      return null;
    }
  }
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(header ?? '')?.[1]?.replace(/\\(.)/g, '$1') ?? null;
}
