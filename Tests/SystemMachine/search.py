"""A search of a whole disk for texts: of its bytes, with the file that each place belongs to."""

import os
import re
import subprocess
from collections import Counter

BLOCK = 4096


def forms(texts, uuids):
    """The bytes by which somebody would be found: texts as they are, UUIDs in all ways in which they are written."""
    found = {text.encode() for text in texts}
    for uuid in uuids:
        digits = uuid.replace("-", "")
        written = {uuid, uuid.upper(), digits, digits.upper()}
        found |= {text.encode() for text in written} | {bytes.fromhex(digits)}
    return sorted(found)


def data_ranges(file, size):
    """Where a file with holes has data."""
    position = 0
    while position < size:
        try:
            begin = os.lseek(file, position, os.SEEK_DATA)
        except OSError:
            return
        position = os.lseek(file, begin, os.SEEK_HOLE)
        yield begin, position


def places(disk, needles):
    """The offsets of all needles in a disk."""
    pattern = re.compile(b"|".join(re.escape(needle) for needle in needles))
    overlap = max(len(needle) for needle in needles) - 1
    step = 16 << 20
    found = set()
    file = os.open(disk, os.O_RDONLY)
    try:
        for begin, end in data_ranges(file, os.fstat(file).st_size):
            for start in range(begin, end, step):
                data = os.pread(file, min(step + overlap, end - start), start)
                found |= {start + match.start() for match in pattern.finditer(data)}
    finally:
        os.close(file)
    return sorted(found)


def ask(disk, command, numbers, is_answer):
    """What debugfs says of numbers, by the first of each line's two columns."""
    answers = {}
    numbers = sorted(numbers)
    for start in range(0, len(numbers), 500):
        request = f"{command} {' '.join(map(str, numbers[start:start + 500]))}"
        result = subprocess.run(
            ["debugfs", "-c", "-R", request, disk], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        for line in result.stdout.splitlines():
            columns = line.split("\t")
            if len(columns) == 2 and columns[0].isdigit() and is_answer(columns[1]):
                answers[int(columns[0])] = columns[1]
    return answers


FREE = "free blocks"


def discard_free_blocks(disk):
    """Gives back what no file of a disk with ext4 uses, so that only what files use is found.

    In the running machine `fstrim` leaves blocks that the kernel keeps ready for the next files.
    """
    # The first run may optimise directories, and after a change e2fsck discards nothing.
    for options, most in (([], 1), (["-E", "discard"], 0)):
        result = subprocess.run(
            ["e2fsck", "-f", "-y", *options, disk], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if result.returncode > most:
            raise OSError(f"e2fsck: status {result.returncode}: {result.stdout}")


def holders(disk, needles):
    """How often needles are in each file of a disk with ext4, by the file's path; FREE is what was deleted."""
    blocks = Counter(offset // BLOCK for offset in places(disk, needles))
    inodes = ask(disk, "icheck", blocks, str.isdigit)
    paths = ask(disk, "ncheck", {int(inode) for inode in inodes.values()}, lambda text: True)
    result = Counter()
    for block, count in blocks.items():
        inode = int(inodes.get(block, 0))
        # The journal of the file system has no name.
        name = FREE if inode == 0 else paths.get(inode, f"inode {inode}")
        result[name] += count
    return result
