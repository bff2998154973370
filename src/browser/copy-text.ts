/** Copies a text; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  // Exists only in secure contexts, and can be forbidden there.
  const { clipboard } = navigator as { clipboard?: Clipboard };
  const copied = clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  return (await copied) ?? false;
}
