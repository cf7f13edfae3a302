"""Writes specs/memories/ from a table of sourced values: make_memories.py VALUES.json

VALUES.json: memory -> section -> field -> {value, unit, ns, min_nCK, source, confidence, note}, as
memory-values.md of the design texts tells. Each value keeps the document it was read in. What no
document states is "unverified", with its derivation beside it. Memories written by hand stay.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from memory_families import (
    CHANNELS,
    CONTROLLER,
    CORE_RAILS,
    FAMILIES,
    NEEDED,
    PART_STATES,
    PUBLISHED_ENERGY,
    RAILS,
    STATES,
    Family,
    Value,
)

MEMORIES = Path(__file__).resolve().parents[1] / "specs" / "memories"
BY_HAND = {"ddr4-3200-8g-2ch", "ddr4-3200-32g-2ch", "ddr4-3200-64g-2ch"}
READ_IN_A_DOCUMENT = {"A", "B", "C", "D"}


def shortest(ns: float, period_ps: float, rule: str) -> int:
    time = round(ns * 1000)
    if rule == "up":
        return math.ceil(time / period_ps - 1e-9)
    period = math.floor(period_ps)
    if rule == "jedec_ddr5":
        return (time * 997 // period + 1000) // 1000
    return (time * 1000 // period + 974) // 1000


def number(value: float) -> str:
    return f"{value:.10g}"


def text(value: str) -> str:
    return value.replace('"', "'")


class Writer:
    """One memory's file; remembers which documents its values name."""

    def __init__(self, sources: dict[str, Any]) -> None:
        self.all_sources = sources
        self.used: dict[str, str] = {"choice": "the choice that gives this memory its name"}
        self.lines: list[str] = []

    def add(self, line: str = "") -> None:
        self.lines.append(line)

    def stated(self, key: str, value: str, unit: str, origin: Value, extra: str = "") -> None:
        grade = origin.get("confidence", "U")
        source = str(origin.get("source"))
        remark = ""
        if grade in READ_IN_A_DOCUMENT and source in self.all_sources:
            self.used[source] = text(self.all_sources[source]["ref"])
        else:
            reasons = [str(origin[k]) for k in ("derivation", "rule", "note") if origin.get(k)]
            if source in self.all_sources and source != "rule":
                reasons.append(self.all_sources[source]["ref"])
            remark = "  # " + "; ".join(reasons) if reasons else ""
            source = "unverified"
        unit_text = f', unit = "{unit}"' if unit else ""
        fields = f'value = {value}{unit_text}{extra}, source = "{source}", class = "{grade}"'
        self.add(f"{key} = {{ {fields} }}{remark}")

    def sources(self) -> list[str]:
        return [f'{key} = "{ref}"' for key, ref in sorted(self.used.items())]


def timing(
    out: Writer, name: str, entry: Value, family: Family, period_ps: float, rfc_ns: float
) -> None:
    value, ns, least = entry.get("value"), entry.get("ns"), entry.get("min_nCK")
    if entry.get("unit") == "tRFC + 10 ns":
        value, ns = None, rfc_ns + 10
    if isinstance(value, str) or value is None:
        if ns is None:
            return
        out.stated(name, number(ns), "ns", entry)
        return
    if ns is not None:
        if name in ("tREFI", "tREFIpb"):  # the loader rounds longest times down, at the true period
            out.stated(name, number(ns), "ns", entry)
            return
        if max(shortest(ns, period_ps, family.rounding), least or 0) == value:
            out.stated(name, number(ns), "ns", entry, f", min_nck = {least}" if least else "")
            return
    out.stated(name, number(value), "nCK", entry)


def fall_back(entry: Value) -> Value:
    """The number that VALUES.json says to assume where it knows none."""
    words = str(entry.get("fallback", "")).split()
    try:
        value = float(words[0])
    except (IndexError, ValueError):
        return entry
    unit = words[1] if len(words) > 1 else "nCK"
    out = {"unit": unit, "confidence": "U", "note": "no document states it: assumed"}
    return out | ({"value": None, "ns": value} if unit == "ns" else {"value": value})


def organisation(out: Writer, org: dict[str, Value], channels: int) -> float:
    def one(key: str) -> Value:
        entry = dict(org[key])
        if isinstance(entry["value"], list):
            entry["value"] = entry["value"][0]
        return entry

    def put(key: str, theirs: str, unit: str = "") -> None:
        entry = one(theirs)
        out.stated(key, number(entry["value"]), unit, entry)

    out.add("[organisation]")
    out.add(f'channels = {{ value = {channels}, source = "choice", class = "design" }}')
    if "pseudo_channels" in org:
        put("pseudo_channels", "pseudo_channels")
    out.add('ranks = { value = 1, source = "choice", class = "design" }')
    stacks = one("stack_ids")["value"] if "stack_ids" in org else 1
    groups = one("bank_groups")
    out.stated("bank_groups", number(groups["value"] * stacks), "", groups)
    if stacks > 1:
        out.lines[-1] += f"  # {groups['value']} of each stack id"
        put("stack_ids", "stack_ids")
    put("banks_per_group", "banks_per_group")
    put("rows", "rows")
    put("columns", "columns")
    put("device_width", "dq", "bit")
    put("bus_width", "channel_width", "bit")
    put("burst_length", "burst_length", "beats")
    density = one("density")
    out.stated("device_gigabits", number(density["value"]), "Gb", density)
    out.add()
    devices = one("channel_width")["value"] / one("dq")["value"]
    pseudo = one("pseudo_channels")["value"] if "pseudo_channels" in org else 1
    gibibytes: float = density["value"] * devices * channels * pseudo / 8
    return gibibytes


def states_of(family: str, currents: dict[str, Value], pattern: str) -> dict[str, tuple[str, ...]]:
    """The states that a rail may list; the partial refresh only where the first rail does."""
    part = PART_STATES.get(family)
    if part is None or currents.get(pattern.format(part[1]), {}).get("value") is None:
        return STATES
    return STATES | {part[0]: (part[1],)}


def rail_values(
    currents: dict[str, Value], pattern: str, states: dict[str, tuple[str, ...]]
) -> dict[str, Value]:
    out: dict[str, Value] = {}
    for state, names in states.items():
        for name in names:
            entry = currents.get(pattern.format(name))
            if entry and isinstance(entry.get("value"), (int, float)) and state not in out:
                out[state] = dict(entry)
    return out


def currents_of(memories: dict[str, Any], name: str) -> tuple[str, dict[str, Value], float, bool]:
    """Whose currents are used, the currents, the factor of I4 - I3N, whether estimated."""
    memory = memories[name]
    if memory["currents"] and "all" not in memory["currents"]:
        return (
            name,
            memory["currents"],
            1.0,
            memory["family"] == "LPDDR5" or memory["family"] == "LPDDR5X",
        )
    family, rate = memory["family"], memory["organisation"]["rate"]["value"]
    other = None
    if family == "DDR3":
        other = "DDR3-1600_4Gb_x8" if name.endswith("x8") else None
    elif family == "DDR4":
        other = f"DDR4-{rate}_8Gb_{name.split('_')[-1]}"
    elif family == "DDR5":
        other = "DDR5-5600_16Gb_x8"
    elif family == "LPDDR4":
        other = "LPDDR4-3200_8Gb_x16"
    elif family == "GDDR6":
        other = "GDDR6-14_8Gb"
    if other is None:
        return "", {}, 1.0, True
    theirs = memories[other]["organisation"]["rate"]["value"]
    return other, memories[other]["currents"], rate / theirs if family != "DDR4" else 1.0, True


def derived(value: float, why: str) -> Value:
    return {"value": value, "unit": "mA", "confidence": "F", "derivation": why}


def scaled_rail(values: dict[str, Value], family: str, factor: float) -> dict[str, Value]:
    standby = values.get("I3N", {}).get("value", 0)
    out = dict(values)
    for state, entry in values.items():
        value, why = entry["value"], ""
        if state in ("I4R", "I4W") and factor != 1:
            value = standby + (value - standby) * factor
            why = "I3N + (I4 - I3N) x rate / rate of the table"
        if family == "GDDR6":
            value, why = (
                value / 2,
                why + ("; " if why else "") + "half of the x32 device, Samsung K4Z80325BC",
            )
        if family == "HBM2":
            value, why = (
                value / 16,
                "a sixteenth of the stack, measured at 1.2 Gb/s (CMU-SAFARI HBM-Power)",
            )
        if why:
            out[state] = derived(round(value, 4), why)
    return out


def published_energy(out: Writer, memory: dict[str, Any]) -> None:
    key, scope = PUBLISHED_ENERGY[memory["family"]]
    entry = memory["energy_published"][key]
    out.add("# No current of this part is public; its energy is what was published of a bit.")
    out.add("[energy_per_bit]")
    out.add(f'scope = "{scope}"')
    for command in ("read", "write"):
        out.stated(command, number(entry["value"]), "pJ", entry)
    out.add()


def currents(out: Writer, memories: dict[str, Any], name: str) -> None:
    part, table, factor, estimated = currents_of(memories, name)
    family = memories[name]["family"]
    if family in PUBLISHED_ENERGY:
        published_energy(out, memories[name])
        return
    if family not in RAILS or not table:
        out.add("# No current of this part is public: the memory has no energy.")
        out.add()
        return
    states = states_of(family, table, next(iter(RAILS[family].values())))
    rails = {}
    for rail, pattern in RAILS[family].items():
        values = rail_values(table, pattern, states)
        if rail == "VPP" and "I3N" in values:  # the pump's standby draw where a state is not listed
            for state in states:
                listed = dict(values["I3N"])
                values.setdefault(state, derived(listed["value"], "not listed: that of I3N"))
        values = scaled_rail(values, family, factor)
        if all(state in values for state in NEEDED):
            rails[rail] = values
    if not rails or next(iter(rails)) != next(iter(RAILS[family])):
        out.add("# The currents that are public are too few for an energy.")
        out.add()
        return
    if part != name:
        out.add(f"# No current table of this part is public: those of {part},")
        out.add("# every energy is an estimate.")
    out.add("[currents]")
    out.add(f'part = "{part.replace("_", " ")}"')
    if estimated:
        out.add("estimated = true")
    if family == "HBM2":
        out.add("measured = true             # means of 36 stacks, not a sheet's maxima")
    rho = 0.0 if family == "DDR5" else 1.0
    why = (
        "one bank's I0 is below the I3N of all banks: only 0 keeps an activation positive"
        if rho == 0
        else ("of the active-standby rise a rank pays it once")
    )
    missing = ", ".join(f'"{rail}"' for rail in CORE_RAILS[family] if rail not in rails)
    if missing:
        out.add(f"unknown_rails = [{missing}]  # too few of their currents are public")
    out.add(f'rho = {{ value = {rho}, source = "assumed", class = "design" }}  # {why}')
    for rail, values in rails.items():
        out.add()
        out.add(f"[currents.{rail}]")
        volts = memories[part]["voltages"][rail]
        out.stated("volts", number(volts["value"]), "V", volts)
        for state in states:
            if state in values:
                out.stated(state, number(values[state]["value"]), "mA", values[state])
    out.add()


def bits(count: int) -> int:
    return max(0, (count - 1).bit_length())


def address_map(out: Writer, order: str, groups: int, banks: int, channels: int) -> None:
    hashed, row = [], 0
    for name, count in (("bg", groups), ("ba", banks), ("ch", channels)):
        for bit in range(bits(count)):
            if name == "ch" and bit > 2:
                break
            hashed.append(f'"{name}{bit} ^ ro{row}"')
            row += 1
    out.add("# Fields from the most significant address bit down, above the bytes of a burst.")
    out.add(
        "# `name:n` takes n bits, a bare name the rest; a hashed bit is itself XOR the named ones."
    )
    out.add("[map]")
    out.add(f'order = "{order}"')
    out.add(f"hash = [{', '.join(hashed)}]")
    out.add()


def memory_file(data: dict[str, Any], name: str) -> tuple[str, str]:
    memories = data["memories"]
    memory = memories[name]
    family_name = memory["family"]
    family = FAMILIES[family_name]
    org, timings = dict(memory["organisation"]), dict(memory["timing"])
    if family_name == "GDDR6X":
        org, timings = gddr6x(memories)
    rate = org["rate"]["value"]
    wide = str(name).endswith("x16") and family_name in ("DDR3", "DDR4")
    channels = 1 if wide else CHANNELS[family_name]
    period_ps = family.transfers_per_clock * 1e6 / rate
    out = Writer(data["_sources"])
    gib = organisation(out, org, channels)
    out.add("[timings]")
    rfc = timings[family.timings["tRFC"]]
    for ours, theirs in family.timings.items():
        entry = timings.get(theirs)
        if entry is None:
            continue
        timing(out, ours, fall_back(entry), family, period_ps, rfc.get("ns") or 0)
    for ours, entry in family.fixed.items():
        timing(out, ours, entry, family, period_ps, rfc.get("ns") or 0)
    if family_name == "LPDDR4":
        out.stated("tDQSCK", "3.5", "ns", timings["tDQSCK"])
    out.add()
    currents(out, memories, name)
    stacks = org["stack_ids"]["value"] if "stack_ids" in org else 1
    groups = org["bank_groups"]["value"] * stacks
    pseudo = org["pseudo_channels"]["value"] if "pseudo_channels" in org else 1
    address_map(out, family.order, groups, org["banks_per_group"]["value"], channels * pseudo)
    out.add(CONTROLLER)
    stem = f"{family_name.lower()}-{rate}-{number(gib)}g-{channels}ch"
    device = f"{number(org['density']['value'])} Gb x{org['dq']['value']}"
    what = "pseudo-channels" if pseudo > 1 else "channels" if channels > 1 else "channel"
    title = f"{family_name}-{rate}, {number(gib)} GiB, {channels * pseudo} {what} of {device}"
    head = Writer(data["_sources"])
    head.used = out.used
    if memory.get("timing_note"):
        head.add(f"# {memory['timing_note']}.")
    head.add(f'title = "{title} ({text(memory["default_bin"])})"')
    head.add(f'standard = "{family.standard}"')
    head.stated("megatransfers", str(rate), "MT/s", org["rate"])
    period = dict(org["tCK"])
    head.stated("clock_ns", number(period["value"]), "ns", period)
    lines = [
        f"# {title}. Written by tools/make_memories.py.",
        "# Classes: A sheet or SPD seen, B table that a public repository quotes, C preset",
        "# naming its sheet, D measured, E uncited preset, F derived, U assumed; all were opened.",
        "",
        *head.lines,
        "",
        "[sources]",
        *out.sources(),
        "",
        *out.lines,
    ]
    return stem, "\n".join(lines) + "\n"


def gddr6x(memories: dict[str, Any]) -> tuple[dict[str, Value], dict[str, Value]]:
    """GDDR6's nanoseconds at 21 Gb/s: nothing of GDDR6X's timing is public."""
    base = memories["GDDR6-14_8Gb"]
    why = "no table of GDDR6X is public: GDDR6 at 14 Gb/s, same nanoseconds"
    org = {k: dict(v) | {"confidence": "U", "note": why} for k, v in base["organisation"].items()}
    org["rate"] = dict(memories["GDDR6X-21_16Gb"]["organisation"]["rate"]) | {"value": 21000}
    org["tCK"] = {"value": round(8000 / 21000, 5), "confidence": "F", "note": "8 / rate, as GDDR6"}
    org["rows"]["value"] *= 2
    org["density"] = {"value": 8, "confidence": "U", "note": "per 16-bit channel of a 16 Gb device"}
    timings = {k: dict(v) | {"confidence": "U", "note": why} for k, v in base["timing"].items()}
    for entry in timings.values():
        entry.pop("rule", None)
        if entry.get("ns") is not None:
            entry["value"] = None
    cycles = sum(shortest(timings[name]["ns"], 8e6 / 21000, "up") for name in ("tRAS", "tRP"))
    timings["tRC"] = {
        "value": cycles,
        "unit": "nCK",
        "confidence": "F",
        "derivation": "tRAS + tRP in nCK",
    }
    return org, timings


def main() -> int:
    data = json.loads(Path(sys.argv[1]).read_text())
    for name in data["memories"]:
        stem, content = memory_file(data, name)
        if stem in BY_HAND:
            continue
        (MEMORIES / f"{stem}.toml").write_text(content)
        print(stem, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
