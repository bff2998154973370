import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    chromiumPath: string;
  }
}

/** Unpacks Chromium before workers start. */
export default async function setup(project: TestProject) {
  project.provide('chromiumPath', await findChromium());
}
