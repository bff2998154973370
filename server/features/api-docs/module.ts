import type { Module } from '../../platform/http/http.ts';
import { toApiDocsRoutes } from './routes.ts';

/** The description of the API for developers, made from the routes of all modules. */
export function createApiDocsModule(modules: readonly Module[]): Module {
  const module: Module = { name: 'api docs', routes: toApiDocsRoutes(() => [...modules, module]) };
  return module;
}
