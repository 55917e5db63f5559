import TestSupport

/// Another program's view of a capture: Wireshark's decoder on the command line.
enum Tshark {
    static let isThere = ChildProcess.find("tshark").contains("/")

    /// What tshark finds in each packet with advertising reports, one after the other.
    static func advertisements(in path: String) async throws -> [AdvertisingPacket] {
        let fields = [
            "frame.time_epoch", "bthci_evt.bd_addr", "bthci_evt.rssi", "btcommon.eir_ad.entry.type",
            "btcommon.eir_ad.entry.length", "btcommon.eir_ad.entry.data", "bluetooth.gaen.rpi", "bluetooth.gaen.aemd",
        ]
        let result = try await ChildProcess.run(
            "tshark",
            ["-n", "-r", path, "-Y", "bthci_evt.le_meta_subevent in {2, 13}", "-T", "fields"]
                + fields.flatMap { ["-e", $0] })
        guard result.status == 0 else { throw Failure(errorOutput: result.errorOutput) }
        return result.output.map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map { column in
                column.split(separator: ",").map(String.init)
            }
            func column(_ index: Int) -> [String] { index < columns.count ? columns[index] : [] }
            return AdvertisingPacket(
                // Seconds with nine decimals, of which the last three are 0.
                time: String(column(0).joined().filter { $0 != "." }.dropLast(3)), addresses: column(1),
                rssi: column(2), types: column(3), lengths: column(4),
                iBeacons: column(5).filter { $0.hasPrefix("0215") && $0.utf8.count == 46 },
                exposureNotifications: zip(column(6), column(7)).map { $0 + $1 })
        }
    }

    struct Failure: Error {
        var errorOutput: [String]
    }
}

/// All that one packet says, in tshark's spelling.
struct AdvertisingPacket: Equatable, CustomStringConvertible {
    /// Microseconds since 1970.
    var time: String
    /// Of each report.
    var addresses: [String] = []
    var rssi: [String] = []
    /// Of each AD structure in each report.
    var types: [String] = []
    var lengths: [String] = []
    /// Apple's message, as hexadecimal digits.
    var iBeacons: [String] = []
    /// Rolling identifier and metadata, as hexadecimal digits.
    var exposureNotifications: [String] = []

    var description: String {
        ([[time], addresses, rssi, types, lengths, iBeacons, exposureNotifications] as [[String]])
            .map { $0.joined(separator: ",") }.joined(separator: " ")
    }
}
