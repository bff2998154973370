import { READS, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { DOCS_PATH, DOCUMENT_PATH, serveApiDocs } from './routes.ts';

/** The description of the API for developers, made from the declarations of all modules. */
export function createApiDocsModule(modules: readonly Module[]): Module {
  const module: Module = {
    name: 'api docs',
    access: [
      declare({ method: 'GET', path: DOCUMENT_PATH }, 'anyone', 'nothing', READS),
      declare({ method: 'GET', path: DOCS_PATH }, 'anyone', 'nothing', READS),
    ],
    serve: (api) => serveApiDocs(api, [...modules, module]),
  };
  return module;
}
