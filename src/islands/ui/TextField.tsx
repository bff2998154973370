import type { InputHTMLAttributes, ReactNode } from 'react';
import { FieldFrame } from './FieldFrame.tsx';
import { useField } from './form-context.ts';

type Hints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'inputMode' | 'enterKeyHint' | 'autoCapitalize' | 'autoCorrect' | 'spellCheck'
>;

interface TextFieldProps extends Hints {
  name: string;
  label: string;
  hint?: ReactNode;
}

/** One line of text. The input is uncontrolled, so that text typed before hydration is kept. */
export function TextField({ name, label, hint, ...hints }: TextFieldProps) {
  const { id, described, ...texts } = useField(name, hint);
  return (
    <FieldFrame id={id} label={label} hint={hint} {...texts}>
      <input
        id={id}
        className="field"
        type="text"
        name={name}
        required
        data-draft=""
        {...described}
        {...hints}
      />
    </FieldFrame>
  );
}

/**
 * An email address, without capitalisation, correction or spell checking. Not `type="email"`, whose value browsers
 * rewrite: a Japanese domain becomes punycode.
 */
export function EmailField({
  label = 'メールアドレス',
  ...props
}: Omit<TextFieldProps, 'label'> & { label?: string }) {
  return (
    <TextField
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      label={label}
      {...props}
    />
  );
}
