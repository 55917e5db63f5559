"""How long other decoders take for the advertising data of the ingest benchmark.

    ingest_peers.py < DATA

DATA has a line of hexadecimal digits for each report. Prints a line `name version nanoseconds` for each decoder: the
median of a few rounds, of processor time for one report. What each needs beside the bytes (TheengsDecoder: JSON, and
somebody who has taken the structures apart) is made before, and isn't counted.
"""

import json
import statistics
import sys
import time
from importlib.metadata import version

import bluetooth_data_tools
from beacontools import parse_packet
from TheengsDecoder import decodeBLE


def theengs_input(data: bytes) -> str:
    """The advertisement as TheengsDecoder takes it."""
    fields = {"id": "C0:11:22:33:44:01", "rssi": -60}
    offset = 0
    while offset < len(data) and 0 < data[offset] < len(data) - offset:
        kind = data[offset + 1]
        value = data[offset + 2 : offset + 1 + data[offset]]
        if kind == 0xFF:
            fields["manufacturerdata"] = value.hex()
        elif kind == 0x16 and len(value) > 2:
            fields["servicedatauuid"] = f"0x{value[1]:02x}{value[0]:02x}"
            fields["servicedata"] = value[2:].hex()
        elif kind == 0x09:
            fields["name"] = value.decode(errors="replace")
        offset += 1 + data[offset]
    return json.dumps(fields)


def nanoseconds(decode, reports, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time_ns()
        for report in reports:
            try:
                decode(report)
            except Exception:  # noqa: BLE001  Malformed data, which the mix has.
                pass
        times.append((time.process_time_ns() - start) / len(reports))
    return statistics.median(times)


data = [bytes.fromhex(line) for line in sys.stdin]
# A cache in front of a decoder would answer the fixed badges of the mix, as it may do in use; the others differ.
peers = [
    ("bluetooth-data-tools", bluetooth_data_tools.parse_advertisement_data_bytes, data, 21),
    ("beacontools", parse_packet, data[:1000], 7),
    ("TheengsDecoder", decodeBLE, [theengs_input(report) for report in data[:1000]], 3),
]
for name, decode, reports, rounds in peers:
    print(name, version(name), round(nanoseconds(decode, reports, rounds), 1))
