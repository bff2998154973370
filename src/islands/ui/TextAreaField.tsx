import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CharacterCount } from './CharacterCount.tsx';
import { FieldFrame } from './FieldFrame.tsx';
import { useField } from './form-context.ts';
import { sendOnCtrlEnter } from './send-keys.ts';

interface TextAreaFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  /** In graphemes. Longer texts can be typed and are refused, never truncated. */
  lengthMax: number;
}

/** A text area that grows with its text, with a character counter. Ctrl+Enter sends. */
export function TextAreaField({ name, label, hint, lengthMax }: TextAreaFieldProps) {
  const { id, described, ...texts } = useField(name, hint);
  const countId = `${id}-count`;
  const [length, setLength] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const count = () => setLength([...(field.current?.value ?? '')].length);
  // Also counts text typed before hydration.
  useEffect(count, []);
  return (
    <FieldFrame id={id} label={label} hint={hint} {...texts}>
      <textarea
        ref={field}
        id={id}
        className="field form-area"
        name={name}
        rows={6}
        required
        data-draft=""
        {...described}
        aria-describedby={[described['aria-describedby'], countId].filter(Boolean).join(' ')}
        onInput={count}
        onKeyDown={sendOnCtrlEnter}
      />
      <CharacterCount id={countId} length={length} lengthMax={lengthMax} />
    </FieldFrame>
  );
}
