import RealModule

/// What a mean of heard packets says too much where many packets were too weak to be heard.
///
/// Of a normal distribution that is cut off below, the mean of the share `p` that remains is greater than that of all
/// by `s φ(z) / p`, where `s` is the deviation, `p = Φ(z)`, and `φ` is the standard normal density. Source: N. L.
/// Johnson, S. Kotz and N. Balakrishnan, "Continuous univariate distributions", vol. 1, 1994, section 13.10.1. The
/// level at which the receiver cuts off need not be known.
enum Censoring {
    /// Deviation of packets from their mean at one place in dB: fading on three channels.
    ///
    /// 4 to 6.5 find rooms equally well in three simulated buildings.
    private static let deviation = 5.5
    /// Share of heard packets from which on something can be said.
    private static let leastShare = 0.08
    /// Share of heard packets from which on their mean is next to that of all.
    private static let enoughShare = 0.6
    /// Number of heard packets without which a share below `enoughShare` says nothing.
    private static let leastCount = 2

    /// Returns whether heard packets say what the level is.
    ///
    /// - Parameter most: number of packets that the best receiver heard.
    static func isTelling(_ count: Int, of most: Double) -> Bool {
        let share = Double(count) / most
        return share >= enoughShare || (share >= leastShare && count >= leastCount)
    }

    /// Returns by how much the mean of heard packets is too great, in dB.
    ///
    /// - Parameter share: share of the packets that the best receiver of the same time and place heard, so that packets
    /// that collide or fall between two scans do not matter.
    static func excess(_ share: Double) -> Double {
        guard share < 1 else { return 0 }
        let share = max(leastShare, share)
        // Φ(z) = share, by bisection.
        var (low, high) = (-4.0, 4.0)
        for _ in 0..<32 {
            let middle = (low + high) / 2
            if .erfc(-middle / 2.0.squareRoot()) / 2 < share { low = middle } else { high = middle }
        }
        return deviation * .exp(-low * low / 2) / (2 * .pi).squareRoot() / share
    }
}
