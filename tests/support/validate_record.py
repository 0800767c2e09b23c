#!/usr/bin/env python3
"""Checks run records, advice files and journals against docs/run-record.schema.json.

usage: validate_record.py SCHEMA FILE...
Says each error with its file and place. Exit codes: 0 all valid, 1 not valid, 2 usage,
77 python3-jsonschema is absent.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)


def part(schema, name):
    """The schema of one definition."""
    return {"$schema": schema["$schema"], "$ref": "#/$defs/" + name, "$defs": schema["$defs"]}


def errors_of(schema, value):
    validator = jsonschema.Draft202012Validator(schema)
    for error in sorted(validator.iter_errors(value), key=lambda e: [str(p) for p in e.path]):
        # Of the kinds of journal line, the one that the line says it is tells what is wrong.
        nested = [e for e in error.context or [] if e.validator != "const"]
        cause = jsonschema.exceptions.best_match([error]) if not nested else nested[-1]
        place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in cause.absolute_path)
        yield f"{place.lstrip('.') or 'top'}: {cause.message}"


def documents_in(path, schema):
    """(place, value, schema) of each document in the file."""
    with open(path, encoding="utf-8") as file:
        if path.endswith(".journal"):
            for number, line in enumerate(file, 1):
                event = json.loads(line).get("event", "")
                name = "journal_" + event.replace("-", "_")
                yield f"{path}:{number}", json.loads(line), part(
                    schema, name if name in schema["$defs"] else "journal_line")
            return
        value = json.load(file)
    if isinstance(value, dict) and "advice" in value:
        schema = part(schema, "advice_file")
    yield path, value, schema


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    bad = 0
    for path in arguments[1:]:
        try:
            for place, value, its_schema in documents_in(path, schema):
                for error in errors_of(its_schema, value):
                    print(f"{place}: {error}")
                    bad += 1
        except (OSError, ValueError) as error:
            print(f"{path}: {error}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
