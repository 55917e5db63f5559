"""Tells the kernel that its clock is right, as a program does that has asked a time server."""

import ctypes
import sys


class Timex(ctypes.Structure):
    """struct timex of adjtimex(2)."""

    _fields_ = [
        ("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long), ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long), ("status", ctypes.c_int), ("rest", ctypes.c_long * 32)]


MAXERROR, ESTERROR, STATUS = 0x0004, 0x0008, 0x0010
PLL = 0x0001

change = Timex(modes=MAXERROR | ESTERROR | STATUS, maxerror=1000, esterror=1000, status=PLL)
if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(change)) == -1:
    sys.exit(f"adjtimex: error {ctypes.get_errno()}")
