import type { InputHTMLAttributes, ReactNode } from 'react';
import { FieldFrame } from './FieldFrame.tsx';
import { useField } from './form-context.ts';

type Hints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'inputMode' | 'enterKeyHint' | 'autoCapitalize' | 'spellCheck'
>;

interface TextFieldProps extends Hints {
  name: string;
  label: string;
  hint?: ReactNode;
  type?: 'text' | 'email';
}

/** One line of text. The input keeps its own value, so what is typed before hydration counts. */
export function TextField({ name, label, hint, type = 'text', ...hints }: TextFieldProps) {
  const { id, described, ...texts } = useField(name, hint);
  return (
    <FieldFrame id={id} label={label} hint={hint} {...texts}>
      <input
        id={id}
        className="field"
        type={type}
        name={name}
        required
        data-draft=""
        {...described}
        {...hints}
      />
    </FieldFrame>
  );
}

/** An address: nothing is capitalised, corrected or underlined. */
export function EmailField({
  label = 'メールアドレス',
  ...props
}: Omit<TextFieldProps, 'type' | 'label'> & { label?: string }) {
  return (
    <TextField
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      label={label}
      {...props}
    />
  );
}
