import type { Ref } from 'react';
import { PICTURE_ACCEPT } from '../../lib/picture-files.ts';
import { FileInput } from './FileInput.tsx';

interface PictureInputProps {
  ref: Ref<HTMLInputElement>;
  onChoose: (file: File) => void;
}

export function PictureInput({ ref, onChoose }: PictureInputProps) {
  return (
    <FileInput
      ref={ref}
      label="画像ファイル"
      accept={PICTURE_ACCEPT}
      onChoose={([file]) => file && onChoose(file)}
    />
  );
}
