// What AdvertisingEvent and AdvertisingData do, in C: the same formats, the same checks of every length before it is
// used, the same results. See their docstrings for the sections of the specification.
#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "ingest_c.h"

struct report {
    int64_t microseconds;
    uint64_t address;
    uint16_t adapter;
    uint8_t address_kind; // 0 public, 1 random, 2 anonymous
    int8_t rssi;
    bool has_rssi;
    bool is_connectable;
    bool is_scan_response;
    bool is_extended;
    uint8_t data_status; // 0 complete, 1 more to come, 2 truncated
    uint8_t advertising_set;
    bool has_advertising_set;
};

enum identity_kind {
    no_identity, ibeacon, alt_beacon, eddystone_uid, eddystone_url, eddystone_tlm, eddystone_eid, exposure_notification,
    contact_app, contact_user, apple_overflow, apple_device
};
enum contact_app { ble_proximity = 1, further, c19x, herald };
enum company { no_company, apple, microsoft, other_company };
enum rank {
    nothing, rank_apple_device, rank_apple_overflow, rank_eddystone, rank_contact_app, rank_exposure_notification,
    rank_alt_beacon, rank_ibeacon
};
enum defect {
    no_defect, truncated_structure, data_after_end, contradictory_identities, truncated_manufacturer_data,
    truncated_service_data, truncated_service_list, over_long_name, truncated_ibeacon, over_long_ibeacon,
    truncated_alt_beacon, over_long_alt_beacon, wrong_exposure_notification_length, wrong_eddystone_length, invalid_eddystone_url, wrong_overflow_length
};

struct identity {
    enum identity_kind kind;
    uint64_t high; // the identifier, or its only word
    uint64_t low;
    uint16_t major;
    uint16_t minor;
    uint16_t manufacturer;
    int8_t power;
    uint8_t detail; // app, message type, URL scheme
    uint8_t length; // of a URL
    uint8_t tail;   // of a URL
    uint32_t number; // metadata, advertisements
    uint32_t deciseconds;
    uint16_t battery;
    int16_t temperature;
};

struct findings {
    struct identity identity;
    enum rank rank;
    enum defect defect;
    enum company company;
    bool lists_further;
    bool has_further_data;
    bool is_named_further;
    bool has_further_user;
    uint64_t further_user;
};

static uint64_t big_endian_64(const uint8_t *bytes) {
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return be64toh(number);
}

static uint32_t big_endian_32(const uint8_t *bytes) {
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
    return be32toh(number);
}

static uint16_t big_endian_16(const uint8_t *bytes) { return (uint16_t)(bytes[0] << 8 | bytes[1]); }

static uint16_t little_endian_16(const uint8_t *bytes) { return (uint16_t)(bytes[0] | bytes[1] << 8); }

static uint64_t little_endian_64(const uint8_t *bytes) {
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return le64toh(number);
}

static void note(struct findings *findings, enum defect defect) {
    if (findings->defect == no_defect) findings->defect = defect;
}

static void note_company(struct findings *findings, uint16_t company) {
    if (findings->company != no_company) return;
    findings->company = company == 0x004C ? apple : company == 0x0006 ? microsoft : other_company;
}

static bool is_contradiction(const struct identity *left, const struct identity *right) {
    if (left->kind != right->kind) return false;
    switch (left->kind) {
    case ibeacon:
    case alt_beacon:
        return left->high != right->high || left->low != right->low || left->major != right->major
            || left->minor != right->minor;
    case exposure_notification:
    case eddystone_uid:
        return left->high != right->high || left->low != right->low;
    case eddystone_eid: return left->high != right->high;
    default: return false;
    }
}

static void take_identity(struct findings *findings, const struct identity *identity, enum rank rank) {
    if (rank > findings->rank) {
        findings->identity = *identity;
        findings->rank = rank;
    } else if (rank == findings->rank && is_contradiction(&findings->identity, identity)) {
        note(findings, contradictory_identities);
    }
}

static void take_app(struct findings *findings, enum contact_app app) {
    struct identity identity = {.kind = contact_app, .detail = (uint8_t)app};
    take_identity(findings, &identity, rank_contact_app);
}

static void read_apple_device(const uint8_t *value, size_t count, struct findings *findings) {
    if (count < 3) {
        note_company(findings, 0x004C);
        return;
    }
    struct identity identity = {.kind = apple_device, .detail = value[2]};
    take_identity(findings, &identity, rank_apple_device);
}

static void read_beacon(
    const uint8_t *value, enum identity_kind kind, enum rank rank, uint16_t manufacturer, struct findings *findings) {
    struct identity identity = {
        .kind = kind,
        .high = big_endian_64(value + 4),
        .low = big_endian_64(value + 12),
        .major = big_endian_16(value + 20),
        .minor = big_endian_16(value + 22),
        .manufacturer = manufacturer,
        .power = (int8_t)value[24],
    };
    take_identity(findings, &identity, rank);
}

static void read_manufacturer_data(const uint8_t *value, size_t count, struct findings *findings) {
    if (count < 2) {
        note(findings, truncated_manufacturer_data);
        return;
    }
    uint16_t company = little_endian_16(value);
    uint8_t type = count > 2 ? value[2] : 0;
    if (company == 0x004C && type == 0x02) {
        if (count <= 3 || value[3] != 0x15)
            read_apple_device(value, count, findings);
        else if (count != 25)
            note(findings, count < 25 ? truncated_ibeacon : over_long_ibeacon);
        else
            read_beacon(value, ibeacon, rank_ibeacon, 0, findings);
    } else if (company == 0x004C && type == 0x01) {
        if (count != 19) {
            note(findings, wrong_overflow_length);
            return;
        }
        struct identity identity = {
            .kind = apple_overflow, .high = big_endian_64(value + 3), .low = big_endian_64(value + 11)};
        take_identity(findings, &identity, rank_apple_overflow);
    } else if (type == 0xBE) {
        if (count < 4 || value[3] != 0xAC)
            note_company(findings, company);
        else if (count != 26)
            note(findings, count < 26 ? truncated_alt_beacon : over_long_alt_beacon);
        else
            read_beacon(value, alt_beacon, rank_alt_beacon, company, findings);
    } else if (company == 0x004C) {
        read_apple_device(value, count, findings);
    } else {
        note_company(findings, company);
    }
}

static void read_url(const uint8_t *value, size_t count, struct findings *findings) {
    if (count < 5 || count > 22) {
        note(findings, wrong_eddystone_length);
        return;
    }
    struct identity identity = {
        .kind = eddystone_url, .power = (int8_t)value[3], .detail = value[4], .length = (uint8_t)(count - 5)};
    bool is_valid = value[4] <= 3;
    for (size_t index = 5; is_valid && index < count; index++) {
        uint8_t byte = value[index];
        is_valid = byte <= 0x0D || (byte >= 0x21 && byte <= 0x7E);
        size_t place = index - 5;
        if (place < 8)
            identity.high |= (uint64_t)byte << (8 * (7 - place));
        else if (place < 16)
            identity.low |= (uint64_t)byte << (8 * (15 - place));
        else
            identity.tail = byte;
    }
    if (is_valid)
        take_identity(findings, &identity, rank_eddystone);
    else
        note(findings, invalid_eddystone_url);
}

static void read_telemetry(const uint8_t *value, size_t count, struct findings *findings) {
    if (count < 4) {
        note(findings, wrong_eddystone_length);
        return;
    }
    if (value[3] > 1) return;
    if (count != (value[3] == 0 ? 16 : 20)) {
        note(findings, wrong_eddystone_length);
        return;
    }
    struct identity identity = {.kind = eddystone_tlm, .detail = value[3]};
    if (value[3] == 0) {
        identity.battery = big_endian_16(value + 4);
        identity.temperature = (int16_t)big_endian_16(value + 6);
        identity.number = big_endian_32(value + 8);
        identity.deciseconds = big_endian_32(value + 12);
    }
    take_identity(findings, &identity, rank_eddystone);
}

static void read_eddystone(const uint8_t *value, size_t count, struct findings *findings) {
    struct identity identity = {0};
    switch (count > 2 ? value[2] : 0xFF) {
    case 0x00:
        if (count != 22 && count != 20) break;
        identity.kind = eddystone_uid;
        identity.high = big_endian_64(value + 4);
        identity.low = big_endian_64(value + 12);
        identity.power = (int8_t)value[3];
        take_identity(findings, &identity, rank_eddystone);
        return;
    case 0x10: read_url(value, count, findings); return;
    case 0x20: read_telemetry(value, count, findings); return;
    case 0x30:
        if (count != 12) break;
        identity.kind = eddystone_eid;
        identity.high = big_endian_64(value + 4);
        identity.power = (int8_t)value[3];
        take_identity(findings, &identity, rank_eddystone);
        return;
    default:
        if (count != 2) return;
    }
    note(findings, wrong_eddystone_length);
}

static void read_service_data(const uint8_t *value, size_t count, struct findings *findings) {
    if (count < 2) {
        note(findings, truncated_service_data);
        return;
    }
    switch (little_endian_16(value)) {
    case 0xFD6F:
        findings->has_further_data = true;
        if (count != 22) {
            note(findings, wrong_exposure_notification_length);
            return;
        }
        struct identity identity = {
            .kind = exposure_notification,
            .high = big_endian_64(value + 2),
            .low = big_endian_64(value + 10),
            .number = big_endian_32(value + 18),
        };
        take_identity(findings, &identity, rank_exposure_notification);
        return;
    case 0xFEAA: read_eddystone(value, count, findings); return;
    case 0xFCF6: take_app(findings, herald); return;
    default: return;
    }
}

/// 0 for a service of no known app.
static unsigned app_of_service(uint64_t high, uint64_t low) {
    switch (high) {
    case 0x8E99298E65D64AF7: return low == 0x9074731C66E01AF9 ? ble_proximity : 0;
    case 0x428132AF474642D3: return low == 0x801E4572D65BFD9B ? herald : 0;
    case 0xFFFFFFFFEEEEDDDD: return c19x;
    default: return 0;
    }
}

static void read_services_16(const uint8_t *value, size_t count, struct findings *findings) {
    if (count % 2 != 0) note(findings, truncated_service_list);
    for (size_t offset = 0; count - offset >= 2; offset += 2) {
        switch (little_endian_16(value + offset)) {
        case 0xFD6F: findings->lists_further = true; break;
        case 0xFCF6: take_app(findings, herald); break;
        default: break;
        }
    }
}

static void read_services_128(const uint8_t *value, size_t count, struct findings *findings) {
    if (count % 16 != 0) note(findings, truncated_service_list);
    for (size_t offset = 0; count - offset >= 16; offset += 16) {
        uint64_t high = little_endian_64(value + offset + 8);
        unsigned app = app_of_service(high, little_endian_64(value + offset));
        if (app != 0) {
            take_app(findings, app);
        } else if (!findings->has_further_user) {
            findings->has_further_user = true;
            findings->further_user = high;
        }
    }
}

static void read_name(const uint8_t *value, size_t count, struct findings *findings) {
    if (count > 248) note(findings, over_long_name);
    if (count < 8 || count > 11 || big_endian_64(value) != 0x667572746865725F) return;
    for (size_t index = 8; index < count; index++) {
        if (value[index] != (uint8_t)"app"[index - 8]) return;
    }
    findings->is_named_further = true;
}

static void read_structure(uint8_t type, const uint8_t *value, size_t count, struct findings *findings) {
    switch (type) {
    case 0xFF: read_manufacturer_data(value, count, findings); break;
    case 0x16: read_service_data(value, count, findings); break;
    case 0x02:
    case 0x03: read_services_16(value, count, findings); break;
    case 0x06:
    case 0x07: read_services_128(value, count, findings); break;
    case 0x08:
    case 0x09: read_name(value, count, findings); break;
    case 0x20:
        if (count < 4) note(findings, truncated_service_data);
        break;
    case 0x21:
        if (count < 16) {
            note(findings, truncated_service_data);
        } else {
            unsigned app = app_of_service(little_endian_64(value + 8), little_endian_64(value));
            if (app != 0) take_app(findings, app);
        }
        break;
    default: break;
    }
}

static void conclude(struct findings *findings) {
    if (!(findings->lists_further || findings->is_named_further) || findings->rank >= rank_alt_beacon) return;
    bool is_named = findings->is_named_further && (findings->lists_further || findings->has_further_data);
    bool has_user_only = findings->lists_further && !findings->has_further_data && findings->has_further_user;
    if (!is_named && !has_user_only) return;
    findings->identity = (struct identity){
        .kind = findings->has_further_user ? contact_user : contact_app, .high = findings->further_user, .detail = further};
}

static struct findings decode_data(const uint8_t *data, size_t size) {
    struct findings findings = {0};
    size_t offset = 0;
    while (offset < size) {
        size_t length = data[offset];
        if (length == 0) {
            for (size_t index = offset; index < size; index++) {
                if (data[index] == 0) continue;
                note(&findings, data_after_end);
                break;
            }
            break;
        }
        if (length >= size - offset) {
            note(&findings, truncated_structure);
            break;
        }
        read_structure(data[offset + 1], data + offset + 2, length - 1, &findings);
        offset += 1 + length;
    }
    conclude(&findings);
    return findings;
}

static void add_decoded(const struct findings *findings, struct ingest_sums *sums) {
    const struct identity *identity = &findings->identity;
    if (findings->defect != no_defect) sums->defects += 1;
    if (identity->kind == no_identity) {
        sums->sum += findings->company;
        return;
    }
    sums->identities += 1;
    switch (identity->kind) {
    case alt_beacon: sums->sum += identity->manufacturer; // and as an iBeacon
    case ibeacon:
        sums->sum += identity->high ^ identity->low;
        sums->sum += (uint64_t)identity->major << 32 | (uint64_t)identity->minor << 16 | (uint8_t)identity->power;
        break;
    case eddystone_uid: sums->sum += (identity->high ^ identity->low) + (uint8_t)identity->power; break;
    case eddystone_url: sums->sum += (uint8_t)identity->power; break;
    case eddystone_tlm: sums->sum += (uint64_t)identity->battery + identity->number; break;
    case eddystone_eid: sums->sum += identity->high + (uint8_t)identity->power; break;
    case exposure_notification: sums->sum += (identity->high ^ identity->low) + identity->number; break;
    case contact_app: sums->sum += identity->detail; break;
    case contact_user: sums->sum += identity->high + identity->detail; break;
    case apple_overflow: sums->sum += identity->high ^ identity->low; break;
    case apple_device: sums->sum += identity->detail; break;
    case no_identity: break;
    }
}

static void take(const struct report *report, const uint8_t *data, size_t size, struct ingest_sums *sums) {
    sums->reports += 1;
    sums->sum += (uint64_t)report->microseconds + report->address + report->adapter;
    if (report->has_rssi) sums->sum += (uint64_t)(int64_t)report->rssi;
    sums->sum += (uint64_t)report->address_kind + report->is_connectable + 2u * report->is_scan_response
        + 4u * report->data_status + 16u * report->is_extended;
    if (report->has_advertising_set) sums->sum += report->advertising_set;
    struct findings findings = decode_data(data, size);
    add_decoded(&findings, sums);
}

static uint8_t address_kind(uint8_t byte) { return byte == 0x00 || byte == 0x02 ? 0 : byte == 0xFF ? 2 : 1; }

static uint64_t address(const uint8_t *bytes) {
    // In both layouts 2 more bytes follow at least.
    uint64_t bits;
    memcpy(&bits, bytes, sizeof bits);
    return le64toh(bits) & 0xFFFFFFFFFFFF;
}

static void set_rssi(struct report *report, uint8_t byte) {
    report->rssi = (int8_t)byte;
    report->has_rssi = report->rssi >= -127 && report->rssi <= 20;
}

/// Returns whether the packet breaks the format.
static bool decode_packet(
    const uint8_t *packet, size_t size, const struct ingest_packet *source, struct ingest_sums *sums) {
    if (size < 2 || packet[0] != 0x04 || packet[1] != 0x3E) return false;
    if (size < 4 || size - 3 < packet[2]) return true;
    const uint8_t *parameters = packet + 3;
    size_t count = packet[2];
    if (count < 1) return true;
    if (parameters[0] != 0x02 && parameters[0] != 0x0D) return false;
    bool is_legacy = parameters[0] == 0x02;
    if (count < 2) return true;
    size_t header = is_legacy ? 9 : 24;
    size_t trailer = is_legacy ? 1 : 0;
    size_t offset = 2;
    for (unsigned index = 0; index < parameters[1]; index++) {
        if (count - offset < header) return true;
        size_t data_length = parameters[offset + header - 1];
        size_t length = header + data_length + trailer;
        if (count - offset < length) return true;
        const uint8_t *bytes = parameters + offset;
        struct report report = {.microseconds = source->microseconds, .adapter = source->adapter};
        if (is_legacy) {
            report.is_connectable = bytes[0] == 0x00 || bytes[0] == 0x01;
            report.is_scan_response = bytes[0] == 0x04;
            report.address_kind = address_kind(bytes[1]);
            report.address = address(bytes + 2);
            set_rssi(&report, bytes[length - 1]);
        } else {
            uint16_t type = (uint16_t)(bytes[0] | bytes[1] << 8);
            report.is_connectable = (type & 0x01) != 0;
            report.is_scan_response = (type & 0x08) != 0;
            unsigned status = type >> 5 & 3;
            report.data_status = status > 2 ? 2 : (uint8_t)status;
            report.is_extended = (type & 0x10) == 0;
            report.has_advertising_set = bytes[11] <= 0x0F;
            report.advertising_set = bytes[11];
            report.address_kind = address_kind(bytes[2]);
            report.address = address(bytes + 3);
            set_rssi(&report, bytes[13]);
        }
        take(&report, bytes + header, data_length, sums);
        offset += length;
    }
    return false;
}

void ingest_decode_packets(
    const uint8_t *bytes, size_t size, const struct ingest_packet *packets, size_t count, struct ingest_sums *sums) {
    for (size_t index = 0; index < count; index++) {
        const struct ingest_packet *packet = &packets[index];
        if (packet->start > size || packet->count > size - packet->start) return;
        if (decode_packet(bytes + packet->start, packet->count, packet, sums)) sums->defects += 1;
    }
}

void ingest_decode_data(
    const uint8_t *bytes, size_t size, const size_t *starts, size_t count, struct ingest_sums *sums) {
    for (size_t index = 0; index < count; index++) {
        if (starts[index + 1] > size || starts[index] > starts[index + 1]) return;
        struct findings findings = decode_data(bytes + starts[index], starts[index + 1] - starts[index]);
        sums->reports += 1;
        add_decoded(&findings, sums);
    }
}
