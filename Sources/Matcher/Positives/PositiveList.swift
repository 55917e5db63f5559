import Crypto
import InteractionStore

/// The list of positives that phones compare with what they heard themselves.
///
/// Every five minutes each scheme gets the same number of entries: those who reported, as far as there are slots, and
/// filler that nobody can tell from them. So neither the list's length nor what is new in it says how many reported, or
/// when. An entry that is there stays as it is.
enum PositiveList {
    /// Seconds; the list changes no more often.
    static let epoch: Int64 = 300
    /// Entries of a scheme in each epoch.
    static let slotsPerEpoch: Int64 = 4
    /// How far the list goes back, today included.
    static let days: Int64 = 14
    static let day: Int64 = 86_400

    /// The entries that are given slots now: of the epoch that is under way, which nobody has been shown.
    static func openSlots(now: Int64) -> Range<Int64> {
        let epoch = now / Self.epoch
        return epoch * slotsPerEpoch..<(epoch + 1) * slotsPerEpoch
    }

    /// Slots of a day that can be shown.
    ///
    /// - Parameter day: since 1970.
    static func slots(ofDay day: Int64, now: Int64) -> Range<Int64> {
        let first = day * Self.day / epoch * slotsPerEpoch
        let end = min((day + 1) * Self.day, now / epoch * epoch) / epoch * slotsPerEpoch
        return first..<max(first, end)
    }

    /// The days that the list has, the latest first, since 1970.
    static func days(now: Int64) -> [Int64] { (0..<days).map { now / day - $0 } }

    /// - Parameters:
    ///   - published: those who reported, by slot.
    ///   - key: by which filler is made; the same for ever, because filler that changes is known for what it is.
    static func entries(
        of scheme: PositiveScheme, slots: Range<Int64>, day: Int64, published: [Int64: String], key: SymmetricKey
    ) -> [String] {
        slots.map { slot in
            published[slot]
                ?? scheme.filler(
                    Array(
                        HMAC<SHA256>.authenticationCode(for: Array("\(scheme.rawValue)/\(slot)".utf8), using: key)),
                    day: day)
        }
    }
}
