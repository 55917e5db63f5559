import Crypto
import InteractionStore

/// The list of positives that phones compare with what they heard themselves.
///
/// Every five minutes each scheme gets the same number of entries: those who reported, as far as there are slots, and
/// filler that nobody can tell from them. So neither the list's length nor what is new in it says how many reported, or
/// when. An entry that is there stays as it is, but for that of a report that is taken back: a list that goes on warning of
/// somebody who isn't positive is worse than one that tells which of its entries was taken back.
enum PositiveList {
    /// Seconds; the list changes no more often.
    static let epoch: Int64 = 300
    /// How far the list goes back, today included.
    static let days: Int64 = 14
    static let day: Int64 = 86_400

    /// The slots that are given now: of the next epoch, so that nobody has been shown them even when this takes minutes.
    static func openSlots(of scheme: PositiveScheme, now: Int64) -> Range<Int64> {
        let epoch = now / Self.epoch + 1
        return epoch * scheme.slotsPerEpoch..<(epoch + 1) * scheme.slotsPerEpoch
    }

    /// Slots of a day that can be shown: of epochs that are over.
    ///
    /// - Parameter day: since 1970.
    static func slots(of scheme: PositiveScheme, day: Int64, now: Int64) -> Range<Int64> {
        let first = day * Self.day / epoch
        let end = min((day + 1) * Self.day, now) / epoch
        return first * scheme.slotsPerEpoch..<max(first, end) * scheme.slotsPerEpoch
    }

    /// The days that the list has, the latest first, since 1970.
    static func days(now: Int64) -> [Int64] { (0..<days).map { now / day - $0 } }

    /// Whether phones compare anything from up to a time with the list, in seconds since 1970.
    static func concerns(_ until: Int64, now: Int64) -> Bool { now / day - until / day < days }

    /// - Parameters:
    ///   - published: those who reported, by slot.
    ///   - key: by which filler is made; the same for ever, because filler that changes is known for what it is.
    static func entries(
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
