import type { InputHTMLAttributes, Ref } from 'react';

interface FileInputProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'accept' | 'multiple'> {
  /** The caller's button clicks this input. */
  ref: Ref<HTMLInputElement>;
  label: string;
  onChoose: (files: readonly File[]) => void;
}

/** The file input is visually hidden. */
export function FileInput({ label, onChoose, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      className="sr-only"
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => {
        const files = [...(event.currentTarget.files ?? [])];
        // Choosing the same file again must fire a change event.
        event.currentTarget.value = '';
        if (files.length > 0) onChoose(files);
      }}
    />
  );
}
