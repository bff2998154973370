import { invalidateCache } from '../../platform/database/database.ts';
import type { Module } from '../../platform/http/http.ts';
import { watchDecisions } from './decisions.ts';

/** Makes this process follow staff decisions made by command. */
export function createStaffModule(): Module {
  return {
    name: 'staff',
    access: [],
    start: ({ database, catalogueChanged }) =>
      watchDecisions(database, () => {
        invalidateCache(database);
        catalogueChanged();
      }),
  };
}
