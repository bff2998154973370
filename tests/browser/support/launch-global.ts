import type { TestProject } from 'vitest/node';
import { findBrowser, type Program } from './launch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browser: Program;
  }
}

/** Finds the browser before workers start. */
export default async function setup(project: TestProject) {
  project.provide('browser', await findBrowser());
}
