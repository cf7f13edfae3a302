"""How the standards name what a table of sourced values states: for make_memories.py."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Value = dict[str, Any]


@dataclass
class Family:
    standard: str
    rounding: str
    transfers_per_clock: int
    timings: dict[str, str]  # ours: theirs
    order: str = "ro ra ba co bg ch"
    fixed: dict[str, Value] = field(default_factory=dict)  # timings that VALUES.json lacks


DDR_COMMON = {
    "tCL": "CL",
    "tCWL": "CWL",
    "tRCD": "tRCD",
    "tRP": "tRP",
    "tRAS": "tRAS",
    "tRC": "tRC",
    "tRTP": "tRTP",
    "tWR": "tWR",
    "tFAW": "tFAW",
    "tXP": "tXP",
    "tXS": "tXS",
}
GROUPS = {name: name for name in ("tCCD_S", "tCCD_L", "tRRD_S", "tRRD_L", "tWTR_S", "tWTR_L")}
LPDDR_COMMON = {
    "tCL": "RL",
    "tCWL": "WL",
    "tRCD": "tRCD",
    "tRP": "tRPpb",
    "tRPab": "tRPab",
    "tRAS": "tRAS",
    "tRC": "tRC",
    "tPPD": "tPPD",
    "tRRD": "tRRD",
    "tFAW": "tFAW",
    "tRFC": "tRFCab",
    "tREFI": "tREFI_le85C",
    "tRFCpb": "tRFCpb",
    "tREFIpb": "tREFIpb",
    "tXP": "tXP",
    "tXS": "tXSR",
}
HBM_COMMON = {
    "tCL": "RL",
    "tCWL": "WL",
    "tRCDRD": "tRCDRD",
    "tRCDWR": "tRCDWR",
    "tRP": "tRP",
    "tRAS": "tRAS",
    "tRC": "tRC",
    "tWR": "tWR",
    "tFAW": "tFAW",
    "tRTW": "RTW",
    "tRFC": "tRFCab",
    "tREFI": "tREFI_le85C",
    "tRREFD": "tRREFD",
    "tXP": "tXP",
    **GROUPS,
}


def assumed(value: float, unit: str, why: str) -> Value:
    return {"value": value, "unit": unit, "confidence": "U", "note": why}


RANK_BUBBLE = {"tCS": assumed(2, "nCK", "two cycles between ranks, as Ramulator's presets have it")}
NO_DLL_TIMES = {"tXS": assumed(0, "tRFC + 10 ns", "tRFC + 10 ns, the rule of DDR4")}
FAMILIES = {
    "DDR3": Family(
        "ddr3",
        "jedec_ddr4",
        2,
        {
            **DDR_COMMON,
            "tCCD": "tCCD",
            "tRRD": "tRRD",
            "tWTR": "tWTR",
            "tRFC": "tRFC",
            "tREFI": "tREFI_le85C",
            "tCKE": "tCKE",
            "tXSDLL": "tXSDLL",
        },
        "ro ra ba co ch",
        RANK_BUBBLE,
    ),
    "DDR4": Family(
        "ddr4",
        "jedec_ddr4",
        2,
        {
            **DDR_COMMON,
            **GROUPS,
            "tRFC": "tRFC1",
            "tREFI": "tREFI_le85C",
            "tCKE": "tCKE",
            "tXSDLL": "tXSDLL",
        },
        fixed=RANK_BUBBLE,
    ),
    "DDR5": Family(
        "ddr5",
        "jedec_ddr5",
        2,
        {
            **DDR_COMMON,
            **GROUPS,
            "tPPD": "tPPD",
            "tCCD_L_WR": "tCCD_L_WR2",
            "tRTW": "RTW",
            "tRFC": "tRFC1",
            "tREFI": "tREFI1_le85C",
            "tRFCsb": "tRFCsb",
            "tREFSBRD": "tREFSBRD",
        },
        fixed=RANK_BUBBLE,
    ),
    "LPDDR4": Family(
        "lpddr4",
        "up",
        2,
        {
            **LPDDR_COMMON,
            "tRTP": "tRTP",
            "tWR": "tWR",
            "tCCD": "tCCD",
            "tWTR": "tWTR",
            "tCKE": "tCKE",
            "tWPRE": "write_preamble",
        },
        "ro ra ba co ch",
        RANK_BUBBLE,
    ),
    "LPDDR5": Family(
        "lpddr5",
        "up",
        8,
        {
            **LPDDR_COMMON,
            "tBL_max": "BLn_max",
            "tRTP": "nRTP",
            "tWR": "nWR",
            "tCCD_S": "tCCD_S",
            "tCCD_L": "tCCD_L",
            "tWTR_S": "tWTR_S",
            "tWTR_L": "tWTR_L",
            "tAAD": "nAAD",
            "tpbR2pbR": "tpbR2pbR",
            "tpbR2act": "tpbR2act",
        },
        fixed=RANK_BUBBLE,
    ),
    "GDDR6": Family(
        "gddr6",
        "up",
        8,
        {
            "tCL": "CL",
            "tCWL": "WL",
            "tRCDRD": "tRCDRD",
            "tRCDWR": "tRCDWR",
            "tRP": "tRP",
            "tRAS": "tRAS",
            "tRC": "tRC",
            "tRTP": "tRTP",
            "tWR": "tWR",
            "tPPD": "tPPD",
            "tCCD_S": "tCCD_S",
            "tCCD_L": "tCCD_L",
            "tRRD_S": "tRRD",
            "tRRD_L": "tRRD",
            "tFAW": "tFAW",
            "tWTR_S": "tWTR_S",
            "tWTR_L": "tWTR_L",
            "tRFC": "tRFCab",
            "tREFI": "tREFI",
            "tRFCpb": "tRFCpb",
            "tREFIpb": "tREFIpb",
            "tRREFD": "tRREFD",
            "tXP": "tXP",
        },
        fixed=NO_DLL_TIMES,
    ),
    "HBM2": Family(
        "hbm2",
        "up",
        2,
        {**HBM_COMMON, "tRTP": "tRTP_L", "tRFCpb": "tRFCsb", "tREFIpb": "tREFIsb", "tXS": "tXS"},
    ),
    "HBM3": Family(
        "hbm3",
        "up",
        4,
        {
            **HBM_COMMON,
            "tRTP": "tRTP",
            "tPPD": "tPPD",
            "tCCD_R": "tCCDR",
            "tRFCpb": "tRFCpb",
            "tREFIpb": "tREFIpb",
        },
        "ro ra bg ba co bg:2 ch",
        NO_DLL_TIMES,
    ),
}
FAMILIES["LPDDR5X"] = FAMILIES["LPDDR5"]
FAMILIES["GDDR6X"] = FAMILIES["GDDR6"]
FAMILIES["HBM2E"] = FAMILIES["HBM2"]

# Channels of the shipped memory; a pseudo-channel counts as half of one.
CHANNELS = {
    "DDR3": 2,
    "DDR4": 2,
    "DDR5": 4,
    "LPDDR4": 4,
    "LPDDR5": 4,
    "LPDDR5X": 4,
    "GDDR6": 8,
    "GDDR6X": 8,
    "HBM2": 8,
    "HBM2E": 8,
    "HBM3": 16,
}

RAILS = {
    "DDR3": {"VDD": "IDD{}"},
    "DDR4": {"VDD": "IDD{}", "VPP": "IPP{}"},
    "DDR5": {"VDD": "IDD{}", "VPP": "IPP{}"},
    "LPDDR4": {"VDD2": "IDD{}_2", "VDD1": "IDD{}_1"},
    "LPDDR5": {"VDD2H": "IDD{}_2H"},
    "LPDDR5X": {"VDD2H": "IDD{}_2H"},
    "GDDR6": {"VDD": "IDD{}", "VPP": "IPP{}"},
    "HBM2": {"VDD": "IDD{}"},
}
STATES = {
    "I0": ("0",),
    "I2N": ("2N",),
    "I2P": ("2P",),
    "I3N": ("3N",),
    "I3P": ("3P",),
    "I4R": ("4R",),
    "I4W": ("4W",),
    "I5": ("5B", "5", "5ab"),
    "I6": ("6", "6N"),
}
# The current of the loop that refreshes parts of a rank.
PART_STATES = {"DDR5": ("I5C", "5C"), "LPDDR4": ("I5PB", "5pb"), "LPDDR5": ("I5PB", "5pb")}
# The rails of the core, as the standard's file names them.
CORE_RAILS = {
    "DDR3": ("VDD",),
    "DDR4": ("VDD", "VPP"),
    "DDR5": ("VDD", "VPP"),
    "LPDDR4": ("VDD2", "VDD1"),
    "LPDDR5": ("VDD2H", "VDD1", "VDD2L"),
    "LPDDR5X": ("VDD2H", "VDD1", "VDD2L"),
    "GDDR6": ("VDD", "VPP"),
    "HBM2": ("VDD", "VPP"),
}
# Published energies of families without a table of currents: which entry, and what it holds.
PUBLISHED_ENERGY = {
    "HBM2E": ("device", "the device, by a vendor's talk; what it holds is not stated"),
    "HBM3": ("read", "a read, derived from other generations; a write is taken as one"),
    "GDDR6X": ("device", "the device; what it holds is not stated"),
}
NEEDED = ("I0", "I2N", "I3N", "I4R", "I4W", "I5")

CONTROLLER = """# Policy, not fact: docs/controller.md.
[controller]
scheduler = "frfcfs"
page_policy = "open"
read_queue = 64          # bursts
write_queue = 64
write_high = 48
write_low = 16
row_hit_cap = 64
max_wait = 4096          # memory cycles
refresh_stagger = true
dispatch = 2             # memory cycles"""
