/// Table and figures of pairs of visits in one data set.
struct VisitReport {
    private let recording: VisitRecording
    private let evaluation: VisitEvaluation

    init(_ recording: VisitRecording) {
        self.recording = recording
        evaluation = VisitEvaluation(recording)
    }

    var text: String {
        let radii = VisitEvaluation.radii.map { "\(Format.number($0, 0)) m" }
        var table = Table(
            ["area under the ROC curve"] + radii + radii.map { "\($0), \(Format.number(VisitEvaluation.offset, 0)) dB" }
        )
        for method in VisitMethod.allCases {
            guard let areas = evaluation.areas[method] else { continue }
            table.add([method.words] + (areas.plain + areas.withOffsets).map { Format.number($0, 3) })
        }
        let within = zip(radii, evaluation.within).map { "\($1) within \($0)" }.joined(separator: ", ")
        return
            "== two visits, \(recording.dataSet): \(recording.visits.count) visits, \(recording.anchors.count) anchors, "
            + "\(evaluation.pairs) pairs, \(within)\n\n\(table.text)\n"
    }

    func add(to figures: inout Figures) {
        for method in VisitMethod.allCases {
            guard let areas = evaluation.areas[method] else { continue }
            for (index, radius) in VisitEvaluation.radii.enumerated() {
                let name = "visits_\(recording.dataSet)_\(method.rawValue)_auc_\(Format.radius(radius))"
                figures.add(name, areas.plain[index])
                figures.add("\(name)_offsets", areas.withOffsets[index])
            }
        }
    }
}
