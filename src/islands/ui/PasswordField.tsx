import { type ReactNode, useRef, useState } from 'react';
import { FieldFrame } from './FieldFrame.tsx';
import { useField } from './form-context.ts';
import { Icon } from './Icon.tsx';
import { useHydrated } from './use-hydrated.ts';

interface PasswordFieldProps {
  label: string;
  hint?: ReactNode;
  autoComplete: 'current-password' | 'new-password';
}

/** A password that can be made visible while typing. Never saved as a draft. */
export function PasswordField({ label, hint, autoComplete }: PasswordFieldProps) {
  const field = useField('password', hint);
  const input = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  const isHydrated = useHydrated();
  const toggle = () => {
    const element = input.current;
    const selection = element && ([element.selectionStart, element.selectionEnd] as const);
    setShown(!isShown);
    if (!selection || element !== document.activeElement) return;
    // Browsers move the caret when an input changes its type; Chromium does so after the press.
    requestAnimationFrame(() => element.setSelectionRange(...selection));
  };
  return (
    <FieldFrame field={field} label={label}>
      <div className="form-secret">
        <input
          ref={input}
          className="field"
          type={isShown ? 'text' : 'password'}
          required
          autoComplete={autoComplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          {...field.control}
        />
        <button
          type="button"
          className="icon-button"
          aria-label="パスワードを表示"
          aria-pressed={isShown}
          aria-controls={field.id}
          disabled={!isHydrated}
          // Focus and caret stay in the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
        >
          <Icon name={isShown ? 'eye-off' : 'eye'} className="size-5" />
        </button>
      </div>
    </FieldFrame>
  );
}
