#!/usr/bin/env python3
"""The JSON Schema, the full fixtures and docs/formats.md say the same keys.

usage: schema_test.py SOURCE_DIRECTORY
"""
import copy
import json
import os
import sys
import unittest

ROOT = sys.argv.pop(1)
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
import validate_record  # noqa: E402  (exits 77 where jsonschema is absent)

RECORDS = os.path.join(ROOT, "tests", "fixtures", "records")


def load(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return json.load(file)


SCHEMA = load("docs", "run-record.schema.json")
FULL = load("tests", "fixtures", "records", "full.json")


def resolve(schema):
    if "$ref" in schema:
        return SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def schema_keys(schema, path=""):
    """Every key that the schema knows, as a path without indices."""
    schema = resolve(schema)
    if schema.get("type") == "array":
        yield from schema_keys(schema["items"], path + "[]")
    for key, member in schema.get("properties", {}).items():
        yield f"{path}.{key}"
        yield from schema_keys(member, f"{path}.{key}")


def value_keys(value, schema, path=""):
    """Every key in the value; the names in a map are values, not keys."""
    schema = resolve(schema)
    if isinstance(value, list):
        for element in value:
            yield from value_keys(element, schema["items"], path + "[]")
    if isinstance(value, dict) and "properties" in schema:
        for key, member in value.items():
            yield f"{path}.{key}"
            yield from value_keys(member, schema["properties"].get(key, {}), f"{path}.{key}")


def objects_in(value, schema):
    """(object, its schema) at every level."""
    schema = resolve(schema)
    if isinstance(value, list):
        for element in value:
            yield from objects_in(element, schema["items"])
    if isinstance(value, dict) and "properties" in schema:
        yield value, schema
        for key, member in value.items():
            yield from objects_in(member, schema["properties"][key])


def errors(value, schema=None):
    return list(validate_record.errors_of(schema or SCHEMA, value))


class Schema(unittest.TestCase):
    def test_fixtures_are_valid(self):
        files = [os.path.join(RECORDS, name)
                 for name in ("full.json", "advice.json", "run.json.rank0.journal")]
        schema = os.path.join(ROOT, "docs", "run-record.schema.json")
        self.assertEqual(validate_record.main([schema, *files]), 0)

    def test_record_fixture_has_every_key_of_the_schema_and_no_other(self):
        self.assertEqual(sorted(set(schema_keys(SCHEMA))), sorted(set(value_keys(FULL, SCHEMA))))

    def test_advice_fixture_has_every_key_of_the_schema_and_no_other(self):
        schema = SCHEMA["$defs"]["advice_file"]
        advice = load("tests", "fixtures", "records", "advice.json")
        self.assertEqual(sorted(set(schema_keys(schema))), sorted(set(value_keys(advice, schema))))

    def test_journal_fixture_has_every_key_of_the_schema_and_no_other(self):
        with open(os.path.join(RECORDS, "run.json.rank0.journal"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        kinds = [resolve(kind) for kind in SCHEMA["$defs"]["journal_line"]["oneOf"]]
        wanted, found = set(), set()
        for kind in kinds:
            event = kind["properties"]["event"]["const"]
            wanted |= {event + key for key in schema_keys(kind)}
            for line in lines:
                if line["event"] == event:
                    found |= {event + key for key in value_keys(line, kind)}
        self.assertEqual(sorted(wanted), sorted(found))

    def test_keys_that_are_needed_and_unknown_ones_are_enforced_at_every_level(self):
        count = sum(1 for _ in objects_in(FULL, SCHEMA))
        self.assertGreater(count, 25)
        for index in range(count):
            changed = copy.deepcopy(FULL)
            value, schema = list(objects_in(changed, SCHEMA))[index]
            value["surprise"] = 1
            self.assertTrue(errors(changed), f"unknown key in {schema['description']}")
            del value["surprise"]
            for key in schema.get("required", []):
                kept = value.pop(key)
                self.assertTrue(errors(changed), f"{schema['description']} without {key}")
                value[key] = kept
            self.assertEqual(errors(changed), [])

    def test_wrong_types_are_refused_for_every_key(self):
        count = sum(1 for _ in objects_in(FULL, SCHEMA))
        for index in range(count):
            changed = copy.deepcopy(FULL)
            value, schema = list(objects_in(changed, SCHEMA))[index]
            for key in list(value):
                kept = value[key]
                for wrong in ({"x": []}, None):
                    value[key] = wrong
                    self.assertTrue(errors(changed), f"{schema['description']}: {key}: {wrong}")
                value[key] = kept

    def test_bad_values_are_refused_with_their_place(self):
        for place, key, wrong in (
                (FULL["results"][0], "status", "passed"), (FULL["results"][0], "ranks", -1),
                (FULL["results"][0]["path_proof"], "state", "maybe"),
                (FULL["results"][0]["sizes"][0], "bytes", 1.5),
                (FULL["results"][0]["sizes"][0], "busbw_gbyte_per_s", "11"),
                (FULL, "schema_version", "2.0"), (FULL, "started", "yesterday")):
            kept = place[key]
            place[key] = wrong
            found = errors(FULL)
            place[key] = kept
            self.assertEqual(len(found), 1)
            self.assertIn(key, found[0])

    def test_every_key_and_choice_is_in_formats_md(self):
        with open(os.path.join(ROOT, "docs", "formats.md"), encoding="utf-8") as file:
            text = file.read()
        for name, schema in [("run_record", SCHEMA), *SCHEMA["$defs"].items()]:
            for key, member in schema.get("properties", {}).items():
                self.assertIn(f"`{key}`", text, name)
                for choice in member.get("enum", []):
                    self.assertIn(f'`"{choice}"`', text, f"{name}.{key}")


if __name__ == "__main__":
    unittest.main()
