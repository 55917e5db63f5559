import Localisation
import OperatorText
import Pages

/// Contents of the page that compares how receivers hear beacons. Pure.
struct MatrixView {
    var matrix: HearingMatrix
    /// Path of the floor, `site/building/floor`.
    var floor: String

    /// Difference in dB up to which a beacon is heard as expected, and from which it is far from it.
    private static let (fitting, far) = (6.0, 12.0)

    var columns: [MatrixPage.Column] { matrix.receivers.map { MatrixPage.Column(name($0)) } }

    var rows: [MatrixPage.Row] {
        zip(matrix.beacons, zip(matrix.cells, matrix.rows)).map { beacon, row in
            let (cells, sum) = row
            return MatrixPage.Row(
                name: name(beacon), cells: zip(matrix.receivers, cells).map { cell($1, receiver: $0) },
                mean: Self.signed(sum.mean), spread: Self.number(sum.rootMeanSquare), isOff: sum.isOff)
        }
    }

    /// Sums of the receivers.
    var sums: [MatrixPage.SumRow] {
        func row(_ title: String, _ words: (HearingMatrix.Sum) -> String) -> MatrixPage.SumRow {
            MatrixPage.SumRow(
                name: title,
                cells: zip(matrix.receivers, matrix.columns).map { receiver, sum in
                    MatrixPage.Cell(label: name(receiver), words: words(sum), kind: sum.isOff ? "off" : "")
                })
        }
        return [
            row("Mean") { Self.signed($0.mean) + ($0.isOff ? " stands out" : "") },
            row("RMS") { Self.number($0.rootMeanSquare) },
        ]
    }

    /// Sentences about what is wrong with beacons and receivers, and what to do.
    var findings: [String] {
        let beacons = zip(matrix.beacons, matrix.rows).filter { $0.1.isOff }.map { path, sum -> String in
            guard let difference = difference(of: sum) else {
                let missing = OfficerText.count(sum.notHeard, "receiver that is", "receivers that are")
                return
                    "The beacon at \(name(path)) is not heard by \(missing) expected to hear it: "
                    + "check that it advertises, its transmit power, and its antenna."
            }
            return "The beacon at \(name(path)) is heard \(Self.words(difference)) than the others: check its transmit "
                + "power and its antenna."
        }
        let receivers = zip(matrix.receivers, matrix.columns).filter { $0.1.isOff }.map { path, sum -> String in
            guard let difference = difference(of: sum) else {
                let missing = OfficerText.count(sum.notHeard, "beacon", "beacons")
                return
                    "The receiver \(name(path)) does not hear \(missing) that it is expected to hear: check "
                    + "that it works, and where it hangs."
            }
            return
                "The receiver \(name(path)) hears \(Self.words(difference)) than the others: see its correction with "
                + "beacon-matcher floors offsets, and check where it hangs and its antenna."
        }
        return beacons + receivers
    }

    /// Returns how much more weakly than others it is in dB; `nil` if that is not what is wrong.
    private func difference(of sum: HearingMatrix.Sum) -> Double? {
        sum.departure(from: matrix.mean).flatMap { abs($0) >= HearingMatrix.mostDifference ? $0 : nil }
    }

    private func cell(_ cell: HearingMatrix.Cell, receiver: String) -> MatrixPage.Cell {
        let (words, kind): (String, String) =
            switch cell {
            case .own: ("own", "")
            case .heard: ("heard", "")
            case .notHeard: ("not heard", "lost")
            case .nothing: ("", "")
            case .difference(let value): (Self.signed(value), Self.kind(of: value))
            }
        return MatrixPage.Cell(label: name(receiver), words: words, kind: kind)
    }

    /// Returns the class of a difference.
    private static func kind(of difference: Double) -> String {
        switch difference {
        case ..<(-far): "louder-far"
        case ..<(-fitting): "louder"
        case ...fitting: "fits"
        case ...far: "weaker"
        default: "weaker-far"
        }
    }

    /// Returns the name of a receiver on its floor.
    private func name(_ path: String) -> String {
        path.hasPrefix(floor + "/") ? String(path.dropFirst(floor.count + 1)) : path
    }

    private static func words(_ difference: Double) -> String {
        "\(Format.fixed(abs(difference), 1)) dB more \(difference > 0 ? "weakly" : "loudly")"
    }

    private static func signed(_ value: Double?) -> String {
        value.map { ($0 < 0 ? "−" : "+") + Format.fixed(abs($0), 1) } ?? ""
    }

    private static func number(_ value: Double?) -> String { value.map { Format.fixed($0, 1) } ?? "" }
}
