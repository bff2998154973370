import type { InputHTMLAttributes, ReactNode } from 'react';
import { FieldFrame } from './FieldFrame.tsx';
import { useField } from './form-context.ts';

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'autoComplete' | 'inputMode' | 'enterKeyHint' | 'autoCapitalize' | 'autoCorrect' | 'spellCheck'
>;

interface TextFieldProps extends InputProps {
  name: string;
  label: string;
  hint?: ReactNode;
  isOptional?: boolean;
}

/** One line of text. The input is uncontrolled, so that text typed before hydration is kept. */
export function TextField({ name, label, hint, isOptional = false, ...input }: TextFieldProps) {
  const { id, described, ...texts } = useField(name, hint);
  return (
    <FieldFrame id={id} label={label} hint={hint} isOptional={isOptional} {...texts}>
      <input
        id={id}
        className="field"
        type="text"
        name={name}
        required={!isOptional}
        data-draft=""
        {...described}
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
