/** Elements in the HTML of cards and lists that are hydrated alone (decision 084), before that. */
export const WAITING_PARTS = '[data-islands] [data-island]:not([data-live])';
