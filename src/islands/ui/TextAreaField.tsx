import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
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

/** A text area that grows with its text, with a character counter. Ctrl+Enter sends; the text stays as it is sent. */
export function TextAreaField({ name, label, hint, lengthMax }: TextAreaFieldProps) {
  const [length, setLength] = useState(0);
  const isOver = length > lengthMax;
  const excess = isOver ? `${formatCount(length - lengthMax)}文字減らしてください。` : undefined;
  const { id, described, isSending, ...texts } = useField(name, hint, excess);
  const countId = `${id}-count`;
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
        readOnly={isSending}
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
