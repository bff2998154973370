import { toSavedName } from '../../contract/values/file-names.ts';

export interface NamedFile {
  readonly blob: Blob;
  readonly name: string;
}

/** iOS reads a file only after the user has confirmed the download. */
const FREED_AFTER_MS = 3_600_000;

/** Saves a file with the browser's download, under its name as far as file systems allow that. */
export function saveFile({ blob, name }: NamedFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = toSavedName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), FREED_AFTER_MS);
}

/** Saves a text in CSV. */
export function saveCsv(text: string, name: string): void {
  saveFile({ blob: new Blob([text], { type: 'text/csv;charset=utf-8' }), name });
}
