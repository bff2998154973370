/** Elements in the HTML of cards and lists that are hydrated separately (decision 084), and are not hydrated yet. */
export const WAITING_PARTS = '[data-islands] [data-island]:not([data-live])';
