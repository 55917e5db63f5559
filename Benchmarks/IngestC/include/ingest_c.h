#pragma once
#include <stddef.h>
#include <stdint.h>

/// One H4 packet within a buffer.
struct ingest_packet {
    int64_t microseconds;
    size_t start;
    size_t count;
    uint16_t adapter;
};

/// Sums of all that was decoded, so that nothing of the decoding can be left out.
struct ingest_sums {
    uint64_t reports;
    uint64_t defects;
    uint64_t identities;
    uint64_t sum;
};

/// Decodes every advertising report of every packet.
void ingest_decode_packets(
    const uint8_t *bytes, size_t size, const struct ingest_packet *packets, size_t count, struct ingest_sums *sums);

/// Decodes advertising data alone: `count` pieces, each from `starts[i]` to `starts[i + 1]`.
void ingest_decode_data(
    const uint8_t *bytes, size_t size, const size_t *starts, size_t count, struct ingest_sums *sums);

/// How often this process has asked for memory since its start.
uint64_t ingest_allocations(void);

/// Bytes of memory that this process holds from malloc.
uint64_t ingest_allocated_bytes(void);
