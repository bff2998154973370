/** What the host asks for before a change: the password (decision 032), a code of the second factor (091), or both. */
export interface Proof {
  readonly password: boolean;
  readonly code: boolean;
}

/** Asks for them; resolves to whether the host accepted them. Rejects if the dialog cannot load. */
type PasswordPrompt = (proof: Proof) => Promise<boolean>;

let prompt: PasswordPrompt | null = null;

/** Sets the prompt, from outside: the API client does not import stores (`src/islands/overlays/load.ts`). */
export function setPasswordPrompt(ask: PasswordPrompt | null): void {
  prompt = ask;
}

/** null where no overlays are rendered. */
export function getPasswordPrompt(): PasswordPrompt | null {
  return prompt;
}
