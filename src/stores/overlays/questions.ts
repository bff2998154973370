import type { Question } from '../../islands/ui/question-dialog.tsx';

/** Asks whether to go on. The dialog loads with the first question. */
export async function ask(question: Question): Promise<boolean> {
  const opened = await import('../../islands/ui/question-dialog.tsx').catch(() => null);
  // Offline, and never asked before: the browser's own has to do.
  return opened ? opened.openQuestion(question) : confirm(`${question.title}\n${question.text}`);
}
