import FoundationEssentials

/// What a step of the machine did, and what the gateway published meanwhile. All times are UNIX times in seconds.
struct FaultTimeline {
    struct Timed<Value> {
        var time: Double
        var value: Value
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let step: String
    let events: [Timed<String>]
    let statuses: [Timed<RadioMessage.Status>]
    let healths: [Timed<RadioMessage.Health>]
    let records: [Timed<RadioMessage.Record>]
    /// The topic's presence, and `nil` for an emptied one.
    let presences: [Timed<RadioMessage.Presence?>]
    let controllerLog: [Timed<String>]

    /// - Throws: `Failure` when the machine left nothing; `DecodingError` for a message that isn't what it should be.
    init(_ step: String, from results: VirtualMachine.Results) throws {
        self.step = step
        guard let epoch = results.lines("epoch").first.flatMap(Double.init) else {
            throw Failure(description: "the machine ended with status \(results.status):\n\(results.log)")
        }
        events = results.lines("\(step).events").compactMap(Self.timed)
        controllerLog = results.lines("\(step).controller.log").compactMap(Self.timed)
            .map { Timed(time: epoch + $0.time, value: $0.value) }
        var statuses: [Timed<RadioMessage.Status>] = []
        var healths: [Timed<RadioMessage.Health>] = []
        var records: [Timed<RadioMessage.Record>] = []
        var presences: [Timed<RadioMessage.Presence?>] = []
        for line in results.lines("\(step).mqtt") {
            // Time, whether retained, quality of service, topic, payload.
            let parts = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
            guard parts.count == 5, let time = Double(parts[0]) else { continue }
            let payload = Data(parts[4].utf8)
            func decode<Value: Decodable>(_ type: Value.Type) throws -> Timed<Value> {
                Timed(time: time, value: try JSONDecoder().decode(type, from: payload))
            }
            switch parts[3].split(separator: "/").last {
            case "status": statuses.append(try decode(RadioMessage.Status.self))
            case "health": healths.append(try decode(RadioMessage.Health.self))
            case "interaction": records.append(try decode(RadioMessage.Record.self))
            case "presence":
                let presence = payload.isEmpty ? nil : try decode(RadioMessage.Presence.self).value
                presences.append(Timed(time: time, value: presence))
            default: break
            }
        }
        (self.statuses, self.healths) = (statuses, healths)
        (self.records, self.presences) = (records, presences)
    }

    /// When the step did something.
    ///
    /// - Throws: `Failure` when it didn't.
    func time(of event: String) throws -> Double {
        guard let found = events.first(where: { $0.value == event }) else {
            throw Failure(description: "\(step) has no \"\(event)\", but \(events.map(\.value))")
        }
        return found.time
    }

    /// From the fault until the step saw the gateway hear again.
    func span(of fault: String) throws -> ClosedRange<Double> {
        let begin = try time(of: fault)
        return begin...max(begin, try time(of: fault + " over"))
    }

    /// After how many seconds it was published that the radio is deaf, or that one of the faults was counted; `nil` if
    /// it wasn't before the fault was over.
    func noticed(_ fault: String, as reasons: Set<String>) throws -> Double? {
        let span = try span(of: fault)
        let deaf = statuses.first { span.contains($0.time) && $0.value.isDeaf }
        let before = healths.last { $0.time < span.lowerBound }?.value.faults(reasons) ?? 0
        let counted = healths.first { span.contains($0.time) && $0.value.faults(reasons) > before }
        return [deaf?.time, counted?.time].compactMap { $0 }.min().map { $0 - span.lowerBound }
    }

    /// Why the radio was said to be deaf.
    func reasons(in span: ClosedRange<Double>) -> Set<String> {
        Set(statuses.filter { span.contains($0.time) }.flatMap(\.value.reasons))
    }

    /// How often it was said that the radio is deaf after it was said that it isn't.
    func deafenings(in span: ClosedRange<Double>) -> Int {
        zip(statuses, statuses.dropFirst()).count { before, after in
            span.contains(after.time) && after.value.isDeaf && !before.value.isDeaf
        }
    }

    /// Records of one kind in a span of time.
    func records(_ kind: String, in span: ClosedRange<Double>) -> [RadioMessage.Record] {
        records.filter { span.contains($0.time) && $0.value.kind == kind }.map(\.value)
    }

    /// What was published in a span, for a failed test.
    func story(_ span: ClosedRange<Double>) -> String {
        let begin = span.lowerBound
        var lines: [Timed<String>] = []
        lines += events.map { Timed(time: $0.time, value: "* \($0.value)") }
        lines += statuses.map { Timed(time: $0.time, value: "status \($0.value.radio ?? "?") \($0.value.reasons)") }
        lines += healths.map {
            Timed(time: $0.time, value: "health \($0.value.reports) \($0.value.radios?.first.map { "\($0)" } ?? "")")
        }
        lines += records.map {
            Timed(time: $0.time, value: "\($0.value.kind) \($0.value.data.beacon) \($0.value.data.endReason ?? "")")
        }
        lines += controllerLog.map { Timed(time: $0.time, value: "controller: \($0.value)") }
        return lines.filter { span.contains($0.time) }.sorted { $0.time < $1.time }
            .map { "\((($0.time - begin) * 100).rounded() / 100) \($0.value)" }.joined(separator: "\n")
    }

    private static func timed(_ line: String) -> Timed<String>? {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let time = Double(parts[0]) else { return nil }
        return Timed(time: time, value: String(parts[1]))
    }
}
