import FloorPlans
import Localisation
import OperatorText

/// The tables and figures of judged recordings.
enum PlacesReport {
    static func text(_ judgement: Judgement) -> String {
        let recording = judgement.recording
        let subjects = Set(recording.truth.map(\.subject)).count
        let rooms = recording.plans.reduce(0) { $0 + $1.rooms.count }
        var lines = [
            "\(recording.name): \(recording.truth.count) positions of \(subjects) subjects, "
                + "\(recording.readings.count) readings, \(recording.receivers.count) receivers, "
                + "\(rooms) rooms, model of \(judgement.memory / 1024) KiB"
        ]
        var table = TextTable(
            [("METHOD", .left)]
                + ["ROOM", "F1", "MEAN m", "MEDIAN m", "P90 m", "IN 90 %", "ECE", "FALSE/h", "DELAY s", "UNSEEN"].map {
                    ($0, .right)
                })
        for row in judgement.rows {
            table.add([
                row.name, number(row.score.accuracy, 3), number(row.score.macroF1, 3), number(row.score.meanError, 2),
                number(row.score.error(percentile: 50), 2), number(row.score.error(percentile: 90), 2),
                number(row.score.coverage, 2), number(row.score.calibrationError, 3),
                number(row.changes?.falsePerHour, 1), number(row.changes?.meanDelay, 1), String(row.score.unseen),
            ])
        }
        lines += table.lines
        if let survey = judgement.survey {
            lines.append(
                "survey of \(survey.before.count) positions by cross-validation: rooms "
                    + "\(number(survey.before.roomAccuracy, 3)) -> \(number(survey.after.roomAccuracy, 3)), error "
                    + "\(number(survey.before.meanError, 2)) -> \(number(survey.after.meanError, 2)) m, score "
                    + "\(number(survey.before.score, 2)) -> \(number(survey.after.score, 2)): "
                    + (survey.isImprovement ? "used" : "not used"))
        }
        lines += recording.notes.map { "note: \(recording.name): \($0)" }
        return lines.joined(separator: "\n")
    }

    /// `name: value` lines for programs.
    static func figures(_ judgement: Judgement) -> [String] {
        let name = judgement.recording.name
        let values: [(String, Double?)] = [
            ("live_room_f1", judgement.live.macroF1), ("settled_room_f1", judgement.settled.macroF1),
            ("live_room_accuracy", judgement.live.accuracy), ("settled_room_accuracy", judgement.settled.accuracy),
            ("live_mean_m", judgement.live.meanError), ("settled_mean_m", judgement.settled.meanError),
            ("p90_m", judgement.live.error(percentile: 90)), ("settled_p90_m", judgement.settled.error(percentile: 90)),
            ("coverage90", judgement.live.coverage), ("settled_coverage90", judgement.settled.coverage),
            ("room_ece", judgement.live.calibrationError), ("settled_room_ece", judgement.settled.calibrationError),
            ("false_changes_per_hour", judgement.changes.falsePerHour), ("change_delay_s", judgement.changes.meanDelay),
        ]
        var lines = values.compactMap { key, value in value.map { "\(name)_\(key): \(number($0, 4))" } }
        if judgement.survey != nil {
            let plain: [(String, Double?)] = [
                ("live_room_f1", judgement.plainLive.macroF1), ("settled_room_f1", judgement.plainSettled.macroF1),
                ("live_mean_m", judgement.plainLive.meanError), ("settled_mean_m", judgement.plainSettled.meanError),
            ]
            lines += plain.compactMap { key, value in value.map { "\(name)_uncalibrated_\(key): \(number($0, 4))" } }
        }
        return lines
    }

    /// Cost of locating, for a floor of 40 receivers.
    static func figures(_ cost: CostMeasure) -> [String] {
        [
            "cost_cells: \(cost.cells)", "cost_live_us: \(number(cost.microseconds, 1))",
            "cost_settled_us: \(number(cost.settledMicroseconds, 1))",
            "cost_1000_subjects_core_share: \(number(cost.microseconds / 1000, 4))",
            "cost_model_kib: \(cost.modelBytes / 1024)", "cost_subject_kib: \(cost.subjectBytes / 1024)",
        ]
    }

    /// Returns a number with decimals; `-` for none, and for one that no measurement gives.
    static func number(_ value: Double?, _ decimals: Int) -> String {
        guard let value, value.isFinite, abs(value) < 1e12 else { return "-" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let text = String(Int((abs(value) * scale).rounded()))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - text.count)) + text
        return (value < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
