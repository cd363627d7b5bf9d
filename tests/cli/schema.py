# SPDX-License-Identifier: MIT
"""As much of JSON Schema as docs/scene.schema.json uses."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def mistakes(value, schema, root=None, path="$"):
    """What is wrong with the value, one sentence each; nothing: it fits."""
    root = schema if root is None else root
    if "$ref" in schema:
        target = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        return mistakes(value, target, root, path)
    out = []
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, t) for t in types):
        return [f"{path}: is no {' or '.join(types)}"]
    if "const" in schema and value != schema["const"]:
        out.append(f"{path}: is not {schema['const']}")
    if "enum" in schema and value not in schema["enum"]:
        out.append(f"{path}: is none of {schema['enum']}")
    if is_type(value, "number"):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            out.append(f"{path}: is out of range")
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            out.append(f"{path}: is too small")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            out.append(f"{path}: has {len(value)} entries")
        for i, item in enumerate(value):
            out += mistakes(item, schema.get("items", {}), root, f"{path}[{i}]")
    if isinstance(value, dict):
        out += [f"{path}.{key}: is missing" for key in schema.get("required", []) if key not in value]
        known = schema.get("properties", {})
        for key, item in value.items():
            if key in known:
                out += mistakes(item, known[key], root, f"{path}.{key}")
            elif schema.get("additionalProperties") is False:
                out.append(f"{path}.{key}: is no known key")
    for word, wanted in (("anyOf", lambda n: n >= 1), ("oneOf", lambda n: n == 1)):
        if word in schema and not wanted(sum(not mistakes(value, s, root, path) for s in schema[word])):
            out.append(f"{path}: {word} does not hold")
    return out
