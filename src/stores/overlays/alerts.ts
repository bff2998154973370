/** Says what a person has to know before going on (spec §8 “alert”). The dialog loads with the first one. */
export function showAlert(message: string): void {
  void import('../../islands/ui/alert-dialog.tsx').then(
    ({ openAlert }) => openAlert(message),
    // Offline, and never shown before: the browser's own has to do.
    () => alert(message),
  );
}
