import { useRef } from 'react';
import { AUDIO_ACCEPT, AUDIO_BYTES_MAX } from '../../../contract/sounds/audio-files.ts';
import { $isUploading, addUploads } from '../../stores/uploads/uploads.ts';
import { useSection } from '../profile/use-section.ts';
import { FileInput } from '../ui/FileInput.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useStore } from '../ui/use-store.ts';

/** The entry point for uploads (spec §2). More files can be added during uploads. */
export function UploadPrompt({ typeId }: { typeId: string }) {
  const isUploading = useStore($isUploading);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useSection('upload', button);
  return (
    <div className="own-prompt">
      <div className="own-prompt-text">
        <p className="font-semibold">メディアのアップロードからはじめましょう。</p>
        <p className="form-hint">
          .mp3 か .m4a で {AUDIO_BYTES_MAX / 1024 / 1024}
          MB まで。いくつでも選べます。ここへドロップもできます。非公開で追加され、編集してから公開できます。
        </p>
      </div>
      <FileInput
        ref={input}
        multiple
        label="音声ファイル"
        accept={AUDIO_ACCEPT}
        onChoose={(files) => addUploads(files, typeId)}
      />
      <button
        ref={button}
        type="button"
        className="button button-primary own-upload min-h-12 min-w-[168px]"
        onClick={() => input.current?.click()}
      >
        <Icon name="upload" className="size-5" />
        {isUploading ? 'Uploading..' : 'アップロード'}
      </button>
    </div>
  );
}
