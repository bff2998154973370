/** What a process did to the files below a folder, in order, and what it told its parent meanwhile. */
export type FileEvent =
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly at: number | 'end'; readonly bytes: Buffer }
  | { readonly kind: 'resize'; readonly path: string; readonly size: number }
  | { readonly kind: 'mkdir'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  /** A file or an empty folder. */
  | { readonly kind: 'remove'; readonly path: string }
  /** Of a file or folder. What happens between both events is not on the disk afterwards. */
  | { readonly kind: 'sync begins'; readonly path: string; readonly id: number }
  | { readonly kind: 'sync'; readonly path: string; readonly id: number }
  /** A message to the parent, or a line of output. */
  | { readonly kind: 'said'; readonly message: unknown };

export interface Recording {
  /** The folder that the paths of the events are below. */
  readonly root: string;
  /** What was there before. */
  readonly before: ReadonlyMap<string, Buffer | 'folder'>;
  readonly events: readonly FileEvent[];
}
