/// The RSSI of a scenario's line: "-60", "-80:-50" (evenly from the first repetition to the last), and either of them
/// with noise of so many dB: "-60~4", "-80:-50~4".
struct RSSICourse: Equatable, Sendable {
    /// In dBm; 127: not known.
    var first: Int
    var last: Int
    /// Standard deviation in dB.
    var noise = 0

    static let form = "a number from -127 to 20 or 127 (not known), FROM:TO, or one of them ~NOISE (up to 20 dB)"

    private static let known = -127...20
    private static let unknown = 127

    init?(_ text: Substring) {
        let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).compactMap { Int($0) }
        guard ends.count == parts[0].count(where: { $0 == ":" }) + 1 else { return nil }
        (first, last) = (ends[0], ends[ends.count - 1])
        if parts.count == 2 {
            guard let noise = Int(parts[1]), (0...20).contains(noise) else { return nil }
            self.noise = noise
        }
        let isUnknown = ends == [Self.unknown] && noise == 0
        guard isUnknown || ends.allSatisfy(Self.known.contains) else { return nil }
    }

    func value(at repetition: Int, of count: Int, _ random: inout RandomNumbers) -> Int8 {
        guard first != Self.unknown else { return Int8(Self.unknown) }
        let share = count > 1 ? Double(repetition) / Double(count - 1) : 0
        var value = Double(first) + share * Double(last - first)
        if noise > 0 { value += Double(noise) * random.nextNormal() }
        return Int8(min(max(value.rounded(), Double(Self.known.lowerBound)), Double(Self.known.upperBound)))
    }
}
