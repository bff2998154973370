import { useContext, useEffect, useRef } from 'react';
import { AUDIO_ACCEPT } from '../../../contract/sounds/audio-files.ts';
import { type QualityCheckSlot, cutFileName } from '../../../contract/accounts/quality-check.ts';
import { formatBytes } from '../../lib/format.ts';
import { REQUIRED_SLOTS, toSlotLabel } from '../../lib/quality-check-files.ts';
import { qualityCheck } from '../../stores/quality-check/quality-check.ts';
import { FieldError, RequiredMark } from '../ui/FieldFrame.tsx';
import { FormContext, useField } from '../ui/form-context.ts';
import { Icon } from '../ui/Icon.tsx';
import { useFileDrop } from '../ui/use-file-drop.ts';

interface FileSlotProps {
  slot: QualityCheckSlot;
  file: File | undefined;
  isSending: boolean;
}

/** One of the six slots: a file input under a button, and a drop zone. */
export function FileSlot({ slot, file, isSending }: FileSlotProps) {
  const input = useRef<HTMLInputElement>(null);
  const { id, error, errorId } = useField(slot);
  const form = useContext(FormContext);
  const isRequired = REQUIRED_SLOTS.includes(slot);
  const isMissing = isRequired && file === undefined && 'files' in form.errors;
  useEffect(() => fill(input.current, file), [file]);
  const drop = useFileDrop(
    isSending ? null : ([first, ...further]) => first && qualityCheck.choose(slot, first, ...further),
  );
  const remove = () => {
    qualityCheck.remove(slot);
    // The focused button is removed with its file.
    input.current?.focus();
  };

  return (
    <div
      className="file-slot"
      data-over={drop.isOver || undefined}
      data-wrong={error !== undefined || isMissing || undefined}
      {...drop.handlers}
    >
      <p className="form-label">
        <span id={`${id}-label`}>{toSlotLabel(slot)}</span>
        {isRequired && <RequiredMark />}
      </p>
      <p id={`${id}-name`} className="file-slot-name">
        {file ? (
          <>
            <span title={file.name}>{cutFileName(file.name)}</span>{' '}
            <span className="form-hint">{formatBytes(file.size)}</span>
          </>
        ) : (
          <span className="form-hint">未選択</span>
        )}
      </p>
      <div className="file-slot-actions">
        <span className="button file-slot-button">
          <span id={`${id}-action`}>{file ? '変更' : 'ファイルを選ぶ'}</span>
          <input
            ref={input}
            id={id}
            type="file"
            accept={AUDIO_ACCEPT}
            required={isRequired}
            disabled={isSending}
            aria-labelledby={`${id}-label ${id}-action`}
            aria-describedby={describe(id, { errorId, hasError: error !== undefined, isMissing })}
            aria-invalid={error !== undefined || isMissing}
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0];
              // A refused file must not look chosen, and can be chosen again.
              event.currentTarget.value = '';
              if (chosen) qualityCheck.choose(slot, chosen);
            }}
          />
        </span>
        {file && (
          <button
            type="button"
            className="icon-button"
            aria-label={`${toSlotLabel(slot)}を外す`}
            disabled={isSending}
            onClick={remove}
          >
            <Icon name="close" className="size-5" />
          </button>
        )}
      </div>
      <div aria-live="polite" className="file-slot-error">
        <FieldError id={errorId} error={error} />
      </div>
    </div>
  );
}

/** The file and its problem. The error for too few files is below all slots. */
function describe(
  id: string,
  { errorId, hasError, isMissing }: { errorId: string; hasError: boolean; isMissing: boolean },
): string {
  return [`${id}-name`, hasError && errorId, isMissing && 'quality-check-files-error']
    .filter((part) => part !== false)
    .join(' ');
}

/** Puts the file into the input, so that screen readers name it even if it was dropped or restored. */
function fill(input: HTMLInputElement | null, file: File | undefined): void {
  if (input === null) return;
  const transfer = new DataTransfer();
  if (file) transfer.items.add(file);
  input.files = transfer.files;
}
