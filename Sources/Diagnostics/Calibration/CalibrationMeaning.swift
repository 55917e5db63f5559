import OperatorText
import Proximity
import RealModule

/// Effect of a calibration result on distances.
enum CalibrationMeaning {
    /// Describes how distances change when the RSSI at 1 m goes from `old` to `new`. With `d = 10^((A - RSSI) / 10 n)`
    /// the old distances are `10^((old - new) / 10 n)` times the correct ones, where `n` is the exponent that the
    /// gateway uses.
    static func text(old: Double, new: Double, of whom: String) -> String {
        let factor = Double.pow(10, (old - new) / (10 * DistanceModel.general.exponent))
        if (0.95...1.05).contains(factor) { return "distances \(whom) so far were accurate to 5 %" }
        let text =
            factor > 1
            ? "distances \(whom) so far were \(Format.fixed(factor, 1)) times too long"
            : "distances \(whom) so far were \(Format.fixed(1 / factor, 1)) times too short"
        return (0.2...5).contains(factor)
            ? text : text + "; check that this beacon was measured, at the stated distance"
    }
}
