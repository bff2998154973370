import type { Endpoint } from '../../../contract/calls/endpoint.ts';
import { uploadForm } from '../../api/upload.ts';
import { findPictureProblem } from '../../lib/picture-files.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';

export type PictureUpload =
  | { readonly state: 'empty'; readonly problem: string | null }
  /** `preview` is an object URL of the file. */
  | {
      readonly state: 'chosen';
      readonly file: File;
      readonly preview: string;
      readonly problem: string | null;
    }
  /** `share` is the part sent, from 0 to 1; at 1 the host is processing. */
  | { readonly state: 'sending'; readonly preview: string; readonly share: number };

export interface PictureUploadOptions {
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>;
  /** The name of the form field that holds the picture. */
  readonly part: string;
  /** Called once the host has accepted the picture. */
  onTaken(): void;
  /** Called when the picture was refused, in addition to the reason in `$upload`. */
  onFailed?(error: unknown): void;
}

/** One picture: chosen, previewed and sent; it stays for a retry. Never throws. For module level only. */
export function createPictureUpload({ endpoint, part, onTaken, onFailed }: PictureUploadOptions) {
  const $upload = memberAtom<PictureUpload>({ state: 'empty', problem: null }, end);
  let abort: AbortController | null = null;

  function end(upload: PictureUpload): void {
    abort?.abort();
    if (upload.state !== 'empty') URL.revokeObjectURL(upload.preview);
  }

  /** Previews a file. An invalid one is refused here, and the previous one stays. */
  function choose(file: File): void {
    const upload = $upload.get();
    if (upload.state === 'sending') return;
    const problem = findPictureProblem(file);
    if (problem !== null) return $upload.set({ ...upload, problem });
    if (upload.state === 'chosen') URL.revokeObjectURL(upload.preview);
    $upload.set({ state: 'chosen', file, preview: URL.createObjectURL(file), problem: null });
  }

  /** Drops the file and cancels its upload. */
  function clear(): void {
    end($upload.get());
    $upload.set({ state: 'empty', problem: null });
  }

  async function send(): Promise<void> {
    const upload = $upload.get();
    if (upload.state !== 'chosen') return;
    const { file, preview } = upload;
    const { signal } = (abort = new AbortController());
    $upload.set({ state: 'sending', preview, share: 0 });
    const form = new FormData();
    form.set(part, file);
    try {
      await uploadForm(endpoint, form, {
        signal,
        onProgress: (share) => {
          if (!signal.aborted) $upload.set({ state: 'sending', preview, share });
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      $upload.set({ state: 'chosen', file, preview, problem: toReason(error, part) });
      onFailed?.(error);
      return;
    }
    if (signal.aborted) return;
    clear();
    onTaken();
  }

  return { $upload, choose, clear, send };
}

export type PictureUploadStore = ReturnType<typeof createPictureUpload>;

function toReason(error: unknown, part: string): string | null {
  const { fields, problems } = presentError(error, { toasts: 'none', isField: (key) => key === part });
  return fields[0]?.message ?? (problems.join('\n') || null);
}
