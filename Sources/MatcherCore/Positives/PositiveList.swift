package import Crypto

/// The list of positives that phones compare with what they heard themselves.
///
/// Every five minutes each scheme gets the same number of entries: reported ones, as far as there are slots, and filler
/// that cannot be distinguished from them. Neither the list's length nor its new entries reveal how many people
/// reported, or when. An entry does not change, unless its report is withdrawn: it is better to reveal which entry was
/// withdrawn than to keep warning of a person who is not positive.
package enum PositiveList {
    /// Seconds between two changes of the list.
    package static let epoch: Int64 = 300
    /// Number of days in the list, including today.
    package static let days: Int64 = 14
    package static let day: Int64 = 86_400

    /// Returns the slots that are filled now: those of the next epoch, so that no client has seen them even if filling
    /// takes minutes.
    package static func openSlots(of scheme: PositiveScheme, now: Int64) -> Range<Int64> {
        let epoch = now / Self.epoch + 1
        return epoch * scheme.slotsPerEpoch..<(epoch + 1) * scheme.slotsPerEpoch
    }

    /// Returns the slots of a day that can be shown: those of past epochs.
    ///
    /// - Parameter day: days since 1970.
    package static func slots(of scheme: PositiveScheme, day: Int64, now: Int64) -> Range<Int64> {
        let first = day * Self.day / epoch
        let end = min((day + 1) * Self.day, now) / epoch
        return first * scheme.slotsPerEpoch..<max(first, end) * scheme.slotsPerEpoch
    }

    /// Returns the days of the list, the latest first, since 1970.
    package static func days(now: Int64) -> [Int64] { (0..<days).map { now / day - $0 } }

    /// Returns whether phones compare what they heard until a given time with the list, in seconds since 1970.
    package static func concerns(_ until: Int64, now: Int64) -> Bool { now / day - until / day < days }

    /// Returns the entries of slots.
    ///
    /// - Parameters:
    ///   - published: reported entries, by slot.
    ///   - key: key of the filler. It never changes, because filler that changes could be recognized.
    package static func entries(
        of scheme: PositiveScheme, slots: Range<Int64>, published: [Int64: String], key: SymmetricKey
    ) -> [String] {
        slots.map { slot in
            published[slot]
                ?? scheme.filler(
                    Array(
                        HMAC<SHA256>.authenticationCode(for: Array("\(scheme.rawValue)/\(slot)".utf8), using: key)),
                    slot: slot)
        }
    }
}
