"""The parts of the JSON Schema of SARIF 2.1.0 that the report uses, with the standard's own rules.

Written after the OASIS Standard (sections 3.13 to 3.52): required properties, enumerations, patterns and
limits are those of the standard; properties that the report does not use are left out and so refused.
"""


def strict(*required, **properties):
    """An object with these properties and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


def array(items, *, unique=False):
    return {"type": "array", "uniqueItems": unique, "items": items}


BAG = {"type": "object"}
STRING = {"type": "string"}
TEXT = {"type": "string", "minLength": 1}
ADDRESS = {"type": "string", "format": "uri", "pattern": r"^https://[^\s]+$"}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
#: Section 3.12: a text for people, and the same in Markdown.
MULTIFORMAT = strict("text", text=TEXT, markdown=TEXT)
ARTIFACT = strict(
    uri={"type": "string", "pattern": r"^[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+$"}, uriBaseId=TEXT
)
REGION = strict(startLine={"type": "integer", "minimum": 1})
LOCATION = strict(
    physicalLocation=strict("artifactLocation", artifactLocation=ARTIFACT, region=REGION),
    logicalLocations=array(strict(name=STRING, kind=STRING), unique=True),
)
RESULT = strict(
    "message",
    ruleId=STRING,
    ruleIndex={"type": "integer", "minimum": -1},
    level=LEVEL,
    message=strict("text", text=TEXT),
    locations=array(LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": STRING},
    properties=BAG,
)
RULE = strict(
    "id",
    id=STRING,
    shortDescription=MULTIFORMAT,
    fullDescription=MULTIFORMAT,
    help=MULTIFORMAT,
    helpUri=ADDRESS,
    defaultConfiguration=strict(level=LEVEL),
)
DRIVER = strict(
    "name",
    name=TEXT,
    version=STRING,
    # Section 3.19.12: a version in the form of semantic versioning 2.0.0.
    semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$"},
    informationUri=ADDRESS,
    rules=array(RULE, unique=True),
    properties=BAG,
)
RUN = strict(
    "tool",
    tool=strict("driver", driver=DRIVER),
    automationDetails={"type": "object", "properties": {"id": TEXT}},
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results=array(RESULT),
    properties=BAG,
)
SARIF = strict("version", "runs", version={"enum": ["2.1.0"]}, runs=array(RUN)) | {
    "$schema": "http://json-schema.org/draft-07/schema#"
}
SARIF["properties"]["$schema"] = {"type": "string", "format": "uri"}
