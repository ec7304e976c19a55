"""Thirty-two payloads, and a way to put one into every text that a value holds."""

from every import table

#: Takes the place of the address that a page must never ask for.
ADDRESS = "ADDRESS"
#: What must never run.
RUN = f"window.__ran=1;fetch('{ADDRESS}/run')"

#: Name -> payload. It stands behind the text that it is put into; before it where its name begins with "at ".
PAYLOADS = {name: text.replace("RUN", RUN) for name, text in table(__file__, "payloads").items()}


class Attack:
    """Puts payloads into all texts of plain data that the data's own model lets through.

    Args:
        value: the plain data.
        accepts: raises where it is no such data.
    """

    def __init__(self, value, accepts):
        self.value = value
        self.places = {place for place in _places(value) if self._is_open(place, accepts)}

    def _is_open(self, place, accepts):
        try:
            accepts(_changed(self.value, {place}, lambda text: f"{text}<x>"))
        except ValueError:
            return False
        return True

    def with_payload(self, name, address):
        """The data with a payload in every text; as it is where no payload is named."""
        return _changed(self.value, self.places, lambda text: put(name, address, text))


def put(name, address, text):
    """A text with a payload; as it is where none is named."""
    if not name:
        return text
    payload = PAYLOADS[name].replace(ADDRESS, address)
    return f"{payload}{text}" if name.startswith("at ") else f"{text}{payload}"


def _places(value, place=""):
    """The kinds of places at which a text stands: lists and mappings are one place for all that they hold."""
    if isinstance(value, str):
        yield place
    elif isinstance(value, list):
        for item in value:
            yield from _places(item, f"{place}[]")
    elif isinstance(value, dict):
        if value:
            yield f"{place}{{}}"
        for key, item in value.items():
            yield from _places(item, f"{place}.{key}")


def _changed(value, places, change, place=""):
    if isinstance(value, str):
        return change(value) if place in places else value
    if isinstance(value, list):
        return [_changed(item, places, change, f"{place}[]") for item in value]
    if isinstance(value, dict):
        is_open = f"{place}{{}}" in places
        return {
            change(key) if is_open else key: _changed(item, places, change, f"{place}.{key}")
            for key, item in value.items()
        }
    return value
