"""Units and currencies: how they are written, and what they are in the base unit of their dimension."""

from __future__ import annotations

from pytest_grounding._frozen import frozen
from pytest_grounding.text.facts.tokens import words


@frozen
class Unit:
    """A unit of measure: ``value in base = value * factor + shift``.

    Attributes:
        base: name of the base unit of its dimension.
        factor: how many base units one of it is.
        shift: added after multiplying (temperatures only).
        glued: an abbreviation that is only read as a unit right after digits.
    """

    base: str
    factor: float
    shift: float = 0.0
    glued: bool = False


def _table(base: str, rows: dict[str, float], *, glued: bool = False) -> dict[str, Unit]:
    return {
        name: Unit(base, factor, glued=glued) for names, factor in rows.items() for name in names.split("|")
    }


#: Words, in lower case.
WORDS: dict[str, Unit] = {
    **_table(
        "m",
        {
            "millimeter|millimeters|millimetre|millimetres": 0.001,
            "centimeter|centimeters|centimetre|centimetres": 0.01,
            "micrometer|micrometers|micrometre|micrometres|micron|microns": 1e-6,
            "nanometer|nanometers|nanometre|nanometres": 1e-9,
            "meter|meters|metre|metres": 1.0,
            "kilometer|kilometers|kilometre|kilometres": 1000.0,
            "inch|inches": 0.0254,
            "foot|feet": 0.3048,
            "yard|yards": 0.9144,
            "mile|miles": 1609.344,
        },
    ),
    **_table(
        "g",
        {
            "microgram|micrograms|mcg": 1e-6,
            "milligram|milligrams|milligramme|milligrammes": 0.001,
            "gram|grams|gramme|grammes": 1.0,
            "kilogram|kilograms|kilogramme|kilogrammes|kilo|kilos": 1000.0,
            "tonne|tonnes": 1e6,
            "pound|pounds|lb|lbs": 453.59237,
            "ounce|ounces|oz": 28.349523125,
        },
    ),
    **_table("ton", {"ton|tons": 1.0}),
    **_table(
        "l",
        {
            "milliliter|milliliters|millilitre|millilitres": 0.001,
            "centiliter|centiliters|centilitre|centilitres": 0.01,
            "deciliter|deciliters|decilitre|decilitres": 0.1,
            "liter|liters|litre|litres": 1.0,
            "gallon|gallons|gal": 3.785411784,
            "quart|quarts|qt|qts": 0.946352946,
            "pint|pints|pt": 0.473176473,
            "cup|cups": 0.2365882365,
            "tablespoon|tablespoons|tbsp|tbsps": 0.01478676478125,
            "teaspoon|teaspoons|tsp|tsps": 0.00492892159375,
            "barrel|barrels": 158.987294928,
        },
    ),
    **_table(
        "s",
        {
            "nanosecond|nanoseconds": 1e-9,
            "microsecond|microseconds": 1e-6,
            "millisecond|milliseconds": 0.001,
            "second|seconds|sec|secs": 1.0,
            "minute|minutes|min|mins": 60.0,
            "hour|hours|hr|hrs": 3600.0,
            "day|days": 86400.0,
            "week|weeks|wk|wks": 604800.0,
            "fortnight|fortnights": 1209600.0,
        },
    ),
    **_table("bday", {"weekday|weekdays|workday|workdays": 1.0}),
    **_table(
        "mo",
        {
            "month|months|mos": 1.0,
            "year|years|yr|yrs": 12.0,
            "decade|decades": 120.0,
            "century|centuries": 1200.0,
            "millennium|millennia|millenniums": 12000.0,
        },
    ),
    **_table(
        "byte",
        {
            "byte|bytes": 1.0,
            "kilobyte|kilobytes|kb": 1e3,
            "megabyte|megabytes|mb": 1e6,
            "gigabyte|gigabytes|gb": 1e9,
            "terabyte|terabytes|tb": 1e12,
            "petabyte|petabytes|pb": 1e15,
            "kib": 1024.0,
            "mib": 1024.0**2,
            "gib": 1024.0**3,
            "tib": 1024.0**4,
        },
    ),
    **_table("bit", {"bit|bits": 1.0, "kbps|kilobits": 1e3, "mbps|megabits": 1e6, "gbps|gigabits": 1e9}),
    **_table(
        "W",
        {
            "watt|watts": 1.0,
            "kilowatt|kilowatts|kw": 1e3,
            "megawatt|megawatts|mw": 1e6,
            "gigawatt|gigawatts|gw": 1e9,
        },
    ),
    **_table("hp", {"horsepower|hp|bhp": 1.0}),
    **_table("Wh", {"kwh|kilowatt-hours": 1e3, "mwh": 1e6, "gwh": 1e9}),
    **_table("J", {"joule|joules": 1.0, "kilojoule|kilojoules|kj": 1e3}),
    # On food labels a "calorie" is a kilocalorie.
    **_table("kcal", {"calorie|calories|kcal|kilocalorie|kilocalories": 1.0}),
    **_table("Hz", {"hertz|hz": 1.0, "khz|kilohertz": 1e3, "mhz|megahertz": 1e6, "ghz|gigahertz": 1e9}),
    **_table("V", {"volt|volts": 1.0, "kilovolt|kilovolts|kv": 1e3, "millivolts|mv": 1e-3}),
    **_table("A", {"amp|amps|ampere|amperes": 1.0, "milliamps": 1e-3}),
    **_table("Pa", {"pascal|pascals": 1.0, "kpa|kilopascals": 1e3, "psi": 6894.757293168, "bar|bars": 1e5}),
    **_table("mmHg", {"mmhg": 1.0}),
    **_table("m2", {"acre|acres": 4046.8564224, "hectare|hectares|ha": 10000.0, "sqft": 0.09290304}),
    **_table("m/s", {"mph": 0.44704, "kph|kmh|kmph": 1 / 3.6, "knots": 0.514444}),
    **_table("mol", {"mole|moles|mol": 1.0}),
    **_table("times", {"times": 1.0}),
    **_table("deg", {"degree|degrees|deg": 1.0}),
    "celsius": Unit("degC", 1.0),
    "centigrade": Unit("degC", 1.0),
    "fahrenheit": Unit("degC", 5 / 9, -160 / 9),
    "kelvin": Unit("degC", 1.0, -273.15),
}

#: Abbreviations whose case counts; read only right after digits.
SHORT: dict[str, Unit] = {
    **_table(
        "m", {"nm": 1e-9, "µm|μm": 1e-6, "mm": 0.001, "cm": 0.01, "m": 1.0, "km|KM": 1000.0}, glued=True
    ),
    **_table("m", {"ft": 0.3048, "yd|yds": 0.9144, "mi": 1609.344}, glued=True),
    **_table("g", {"µg|μg": 1e-6, "mg": 0.001, "g": 1.0, "kg|Kg|KG|kgs": 1000.0}, glued=True),
    **_table("l", {"ml|mL|cc": 0.001, "cl": 0.01, "dl|dL": 0.1, "l|L": 1.0}, glued=True),
    **_table("s", {"ns": 1e-9, "ms": 0.001, "s": 1.0, "h": 3600.0}, glued=True),
    **_table("W", {"W": 1.0}, glued=True),
    **_table("V", {"V": 1.0}, glued=True),
    **_table("degC", {"C": 1.0}, glued=True),
    "F": Unit("degC", 5 / 9, -160 / 9, glued=True),
    **_table("bit", {"Kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9}, glued=True),
    **_table("times", {"x": 1.0}, glued=True),
}

#: Symbols and codes of currencies to (code, factor).
CURRENCY_SIGNS: dict[str, str] = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB"}
CURRENCY_SIGNS |= {"₩": "KRW", "₺": "TRY", "₪": "ILS", "₫": "VND", "₦": "NGN", "฿": "THB"}
#: Letters that may stand before a dollar sign: "US$5", "A$5".
DOLLAR_PREFIXES = {"us": "USD", "a": "AUD", "au": "AUD", "c": "CAD", "ca": "CAD", "nz": "NZD", "hk": "HKD"}
DOLLAR_PREFIXES |= {"s": "SGD", "r": "BRL", "u.s.": "USD"}
_CODES = words(
    "usd eur gbp jpy inr cny chf cad aud nzd sek nok dkk brl mxn rub krw zar sgd hkd pln czk huf try"
)
CURRENCY_CODES: dict[str, str] = {code: code.upper() for code in _CODES} | {"rs": "INR", "rmb": "CNY"}
CURRENCY_WORDS: dict[str, tuple[str, float]] = {
    "dollar": ("USD", 1.0),
    "dollars": ("USD", 1.0),
    "bucks": ("USD", 1.0),
    "cent": ("USD", 0.01),
    "cents": ("USD", 0.01),
    "euro": ("EUR", 1.0),
    "euros": ("EUR", 1.0),
    "quid": ("GBP", 1.0),
    "pence": ("GBP", 0.01),
    "sterling": ("GBP", 1.0),
    "yen": ("JPY", 1.0),
    "rupee": ("INR", 1.0),
    "rupees": ("INR", 1.0),
    "yuan": ("CNY", 1.0),
    "rubles": ("RUB", 1.0),
    "francs": ("CHF", 1.0),
    "pesos": ("MXN", 1.0),
    "kronor": ("SEK", 1.0),
    "kroner": ("NOK", 1.0),
}

#: "Five business days": weekends are left out.
WORKING_DAY = Unit("bday", 1.0)

_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}


def power(word: str, unit: Unit) -> Unit | None:
    """The unit after "square" or "cubic": "square feet" is in m2, "cubic metres" in litres."""
    exponent = _POWERS.get(word)
    if exponent is None or unit.base != "m":
        return None
    if exponent == 2:
        return Unit("m2", unit.factor**2)
    return Unit("l", unit.factor**3 * 1000.0)


def is_power_word(word: str) -> bool:
    """Whether a word makes the next unit one of area or volume."""
    return word in _POWERS


def per(top: Unit, bottom: Unit) -> Unit:
    """The unit of a rate: "kilometres per hour" in m/s."""
    return Unit(f"{top.base}/{bottom.base}", top.factor / bottom.factor)
