import RealModule

/// Cuts a subject's windows into stays.
///
/// A new stay begins when two windows in a row differ from the stay before by more than `different`, or when the subject was not heard
/// for `silence`. Time brings little more about a place: shadows and the body stay the same while somebody sits, so a stay counts as
/// one observation.
package struct StayCutter {
    /// Root mean square of the differences of levels in dB from which a window is not of the stay.
    package static let different = 4.5
    /// Time without reception after which a stay has ended, in seconds.
    package static let silence = 120.0
    /// Level that stands for a receiver that hears nothing, in dBm.
    private static let unheard = -95.0
    /// Share of the greatest number of receptions from which a level counts fully.
    private static let fullShare = 0.3
    /// Share of the greatest number of receptions below which a receiver is silent.
    private static let silentShare = 0.08

    /// What a receiver heard.
    private struct Level {
        var sum = 0.0
        var count = 0
        var mean: Double { sum / Double(count) }
    }

    /// Sums over windows.
    private struct Sums {
        var start = 0.0
        var end = 0.0
        var levels: [Int: Level] = [:]
        var listening: Set<Int> = []

        init(_ window: HeardWindow) {
            start = window.end - window.length
            add(window)
        }

        mutating func add(_ window: HeardWindow) {
            end = window.end
            listening.formUnion(window.silent)
            for signal in window.signals {
                listening.insert(signal.receiver)
                levels[signal.receiver, default: Level()].sum += signal.rssi * Double(signal.count)
                levels[signal.receiver]!.count += signal.count
            }
        }

        /// Returns how much a window differs, in dB; `nil` if nothing can be compared.
        func difference(_ window: HeardWindow) -> Double? {
            let other = Sums(window)
            let (most, otherMost) = (greatestCount, other.greatestCount)
            var (sum, weights) = (0.0, 0.0)
            for receiver in Set(levels.keys).union(other.levels.keys).sorted()
            where listening.contains(receiver) && other.listening.contains(receiver) {
                let (one, two) = (pulled(receiver, most: most), other.pulled(receiver, most: otherMost))
                let weight = max(one.weight, two.weight)
                sum += weight * (one.level - two.level) * (one.level - two.level)
                weights += weight
            }
            return weights > 0 ? (sum / weights).squareRoot() : nil
        }

        private var greatestCount: Int { levels.values.map(\.count).max() ?? 1 }

        /// Returns a receiver's level, drawn to that of silence the less often it hears.
        private func pulled(_ receiver: Int, most: Int) -> (level: Double, weight: Double) {
            guard let level = levels[receiver] else { return (StayCutter.unheard, 0) }
            let weight = min(1, Double(level.count) / Double(most) / StayCutter.fullShare)
            return (StayCutter.unheard + (level.mean - StayCutter.unheard) * weight, weight)
        }

        var stay: HeardStay {
            let least = StayCutter.silentShare * Double(greatestCount)
            let heard = levels.filter { Double($0.value.count) >= least }.sorted { $0.key < $1.key }
            let receivers = Set(heard.map(\.key))
            return HeardStay(
                start: start, end: end,
                signals: heard.map { HeardSignal(receiver: $0.key, rssi: $0.value.mean, count: $0.value.count) },
                silent: listening.subtracting(receivers).sorted())
        }
    }

    private init() {}

    /// Returns the stays of one subject.
    ///
    /// - Parameter windows: windows in order of time; those without signals can be left out.
    package static func stays(_ windows: [HeardWindow]) -> [HeardStay] {
        var stays: [HeardStay] = []
        var open: Sums?
        // A window that differs, until it is known whether the next one does too.
        var pending: HeardWindow?
        for window in windows {
            let signals = window.signals.filter { $0.rssi.isFinite && (-127...20).contains($0.rssi) && $0.count > 0 }
            guard !signals.isEmpty else { continue }
            var window = window
            window.signals = signals
            guard var sums = open, window.end - window.length - (pending?.end ?? sums.end) <= silence else {
                if let open { stays.append(open.stay) }
                if let pending { stays.append(Sums(pending).stay) }
                (open, pending) = (Sums(window), nil)
                continue
            }
            if let difference = sums.difference(window), difference > different {
                if let before = pending {
                    stays.append(sums.stay)
                    sums = Sums(before)
                    if let difference = sums.difference(window), difference > different {
                        // Somebody walks: each window is another place.
                        pending = window
                    } else {
                        sums.add(window)
                        pending = nil
                    }
                    open = sums
                } else {
                    pending = window
                }
            } else {
                if let before = pending { sums.add(before) }
                sums.add(window)
                (open, pending) = (sums, nil)
            }
        }
        if let open { stays.append(open.stay) }
        if let pending { stays.append(Sums(pending).stay) }
        return stays
    }
}
