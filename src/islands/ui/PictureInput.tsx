import type { Ref } from 'react';
import { PICTURE_ACCEPT } from '../../lib/picture-files.ts';

interface PictureInputProps {
  /** The caller's button clicks this input. */
  ref: Ref<HTMLInputElement>;
  onChoose: (file: File) => void;
}

/** The file input is visually hidden. */
export function PictureInput({ ref, onChoose }: PictureInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      className="sr-only"
      tabIndex={-1}
      aria-label="画像ファイル"
      accept={PICTURE_ACCEPT}
      onChange={(event) => {
        const file = event.currentTarget.files?.[0];
        if (file) onChoose(file);
        // Choosing the same file again must fire a change event.
        event.currentTarget.value = '';
      }}
    />
  );
}
