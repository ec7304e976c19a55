"""The parts of the JSON Schema of SARIF 2.1.0 that the report uses, with the standard's own rules.

Written after the OASIS Standard (sections 3.13 to 3.52): required properties, enumerations, patterns and
limits are those of the standard; properties that the report does not use are left out and so refused.
"""

TEXT = {"type": "string", "minLength": 1}
#: Section 3.12: a text for people, and the same in Markdown.
MULTIFORMAT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text"],
    "properties": {
        "text": {"type": "string", "minLength": 1},
        "markdown": {"type": "string", "minLength": 1},
    },
}
MESSAGE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text"],
    "properties": {"text": TEXT},
}
BAG = {"type": "object"}
ARTIFACT = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "uri": {"type": "string", "pattern": r"^[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+$"},
        "uriBaseId": TEXT,
    },
}
REGION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"startLine": {"type": "integer", "minimum": 1}},
}
LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "physicalLocation": {
            "type": "object",
            "additionalProperties": False,
            "required": ["artifactLocation"],
            "properties": {"artifactLocation": ARTIFACT, "region": REGION},
        },
        "logicalLocations": {
            "type": "array",
            "uniqueItems": True,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"name": {"type": "string"}, "kind": {"type": "string"}},
            },
        },
    },
}
RESULT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["message"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": MESSAGE,
        "locations": {"type": "array", "uniqueItems": False, "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "properties": {"type": "object"},
    },
}
DRIVER = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        "name": TEXT,
        "version": {"type": "string"},
        # Section 3.19.12: a version in the form of semantic versioning 2.0.0.
        "semanticVersion": {"type": "string", "pattern": r"^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$"},
        "informationUri": {"type": "string", "format": "uri", "pattern": r"^https://[^\s]+$"},
        "rules": {
            "type": "array",
            "uniqueItems": True,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["id"],
                "properties": {
                    "id": {"type": "string"},
                    "shortDescription": MULTIFORMAT,
                    "fullDescription": MULTIFORMAT,
                    "help": MULTIFORMAT,
                    "helpUri": {"type": "string", "format": "uri", "pattern": r"^https://[^\s]+$"},
                    "defaultConfiguration": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {"level": {"enum": ["none", "note", "warning", "error"]}},
                    },
                },
            },
        },
        "properties": BAG,
    },
}
RUN = {
    "type": "object",
    "additionalProperties": False,
    "required": ["tool"],
    "properties": {
        "tool": {
            "type": "object",
            "additionalProperties": False,
            "required": ["driver"],
            "properties": {"driver": DRIVER},
        },
        "automationDetails": {"type": "object", "properties": {"id": TEXT}},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": RESULT},
        "properties": BAG,
    },
}
SARIF = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"enum": ["2.1.0"]},
        "runs": {"type": "array", "items": RUN},
    },
}
