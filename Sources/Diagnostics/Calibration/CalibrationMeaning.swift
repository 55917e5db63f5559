import OperatorText
import Proximity
import RealModule

/// What a result means for distances.
enum CalibrationMeaning {
    /// By how much distances change when the RSSI that belongs to 1 m goes from `old` to `new`: with
    /// `d = 10^((A - RSSI) / 10 n)` the old ones are `10^((old - new) / 10 n)` times the right ones, where `n` is what
    /// the gateway computes with.
    static func text(old: Double, new: Double, of whom: String) -> String {
        let factor = Double.pow(10, (old - new) / (10 * DistanceModel.general.exponent))
        if (0.95...1.05).contains(factor) { return "distances \(whom) so far were right to 5 %" }
        let text =
            factor > 1
            ? "distances \(whom) so far were \(Format.fixed(factor, 1)) times too long"
            : "distances \(whom) so far were \(Format.fixed(1 / factor, 1)) times too short"
        return (0.2...5).contains(factor) ? text : text + "; was it this one, and at that distance?"
    }
}
