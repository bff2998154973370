import type { InputHTMLAttributes, ReactNode } from 'react';
import { FieldFrame } from './FieldFrame.tsx';
import { useField } from './form-context.ts';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  name: string;
  label: string;
  hint?: ReactNode;
  isOptional?: boolean;
  /** What the client finds wrong with the value. */
  fault?: string | undefined;
}

/** One line of text, or a file. The input is uncontrolled, so that text typed before hydration is not lost. */
export function TextField({ name, label, hint, isOptional = false, fault, ...input }: TextFieldProps) {
  const field = useField(name, hint, fault);
  return (
    <FieldFrame field={field} label={label} isOptional={isOptional}>
      <input
        className="field"
        type="text"
        required={!isOptional}
        data-draft=""
        {...field.control}
        {...input}
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
