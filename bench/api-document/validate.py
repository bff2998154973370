"""Prints each problem that openapi-spec-validator finds in a document, and exits 1 if there is one."""

import json
import sys

from openapi_spec_validator import OpenAPIV31SpecValidator

with open(sys.argv[1], encoding="utf-8") as file:
    problems = list(OpenAPIV31SpecValidator(json.load(file)).iter_errors())
for problem in problems:
    print("/".join(map(str, problem.absolute_path)), problem.message)
sys.exit(1 if problems else 0)
