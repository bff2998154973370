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
  /** In code points. Longer texts can be typed and are refused, never truncated. */
  lengthMax: number;
  isOptional?: boolean;
}

/** A text area that grows with its text, with a character counter. Ctrl+Enter sends; the text stays as it is sent. */
export function TextAreaField({ name, label, hint, lengthMax, isOptional = false }: TextAreaFieldProps) {
  const [length, setLength] = useState(0);
  const isOver = length > lengthMax;
  const excess = isOver ? `${formatCount(length - lengthMax)}文字減らしてください。` : undefined;
  const field = useField(name, hint, excess);
  const countId = `${field.id}-count`;
  const area = useRef<HTMLTextAreaElement>(null);
  const count = () => setLength([...(area.current?.value ?? '')].length);
  // Also counts text typed before hydration.
  useEffect(count, []);
  return (
    <FieldFrame field={field} label={label} isOptional={isOptional}>
      <textarea
        ref={area}
        className="field form-area"
        rows={6}
        required={!isOptional}
        readOnly={field.isSending}
        data-draft=""
        {...field.control}
        aria-describedby={[field.control['aria-describedby'], countId].filter(Boolean).join(' ')}
        onInput={count}
        onKeyDown={sendOnCtrlEnter}
      />
      <CharacterCount id={countId} length={length} lengthMax={lengthMax} />
    </FieldFrame>
  );
}
