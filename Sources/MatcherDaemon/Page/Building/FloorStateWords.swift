import BeaconModel
import MatcherCore
import OperatorText
import Pages
import RecordContract

/// Words of pages about the receivers and modules of a floor. Pure.
struct FloorStateWords: Sendable {
    var days: CalendarDays
    /// Time of the latest report of a gateway of the floor that the store knows, in seconds since 1970.
    var lastReport: Int64?

    /// State of something on the map, for the script of the page.
    private struct Shown: Encodable {
        /// Class of the tag, which is the sign on the map, too.
        var kind: String
        var words: String
    }

    private struct StatesEvent: Encodable {
        /// Reason why an empty part of the map means nothing; omitted if all of the floor is heard.
        var doubt: String?
        /// States by the keys of the table's rows.
        var states: [String: Shown]
    }

    private struct BeatEvent: Encodable {
        /// Present time: the positions are those of now, though nobody has moved.
        var asOf: String
    }

    /// Returns an event of a stream as pages need it: states in words instead of the event `receivers`, and an event
    /// `beat` instead of the comment that scripts do not get.
    ///
    /// - Parameter now: seconds since 1970.
    func prepared(_ event: String, now: Int64) -> String {
        if event == LiveStreams.heartbeat {
            return ServerSentEvent.text("beat", BeatEvent(asOf: InstantText.utc(now)))
        }
        let marker = "event: receivers\ndata: "
        guard event.hasPrefix(marker),
            let state = try? JSON.decode(
                FloorStateDocument.self, from: Array(event.dropFirst(marker.count).prefix { $0 != "\n" }.utf8))
        else { return event }
        let rows = Self.rows(receivers: state.receivers.map { ($0.path, $0.isHeard) }, modules: state.modules)
        let told = StatesEvent(
            doubt: doubt(state),
            states: Dictionary(rows.map { ($0.key, Shown(kind: $0.tag.kind, words: $0.tag.words)) }) { one, _ in one })
        return ServerSentEvent.text("states", told)
    }

    /// Returns why an empty map means nothing; `nil` if all of the floor is heard.
    func doubt(_ state: FloorStateDocument) -> String? {
        if state.isHeard { return nil }
        let heardAt = state.heardAt.flatMap { RFC3339Text.parse($0) }.map { $0.microseconds / 1_000_000 }
        let last = [heardAt, lastReport].compactMap(\.self).max()
        let words = DayWords(days: days)
        return FloorView.doubt(
            isSilent: !state.receivers.contains(where: \.isHeard), lastHeard: last.map { words.time($0) })
    }

    /// State of a receiver or module in words.
    struct Row {
        /// Path of a receiver; `module:` and the path of a module.
        var key: String
        var tag: StateTag
    }

    /// Returns the states of receivers, then those of modules.
    ///
    /// - Parameter receivers: paths, and whether they are heard; `nil` while live positions are off.
    static func rows(
        receivers: [(path: String, isHeard: Bool?)], modules: [FloorStateDocument.Module]
    ) -> [Row] {
        receivers.map { Row(key: $0.path, tag: tag(of: $0.path, isHeard: $0.isHeard, modules)) }
            + modules.map { module -> Row in
                let own = receivers.filter { $0.path == module.gateway || $0.path.hasPrefix(module.gateway + "/") }
                // What a gateway told before it fell silent may no longer be so.
                let isSilent = !own.isEmpty && own.allSatisfy { $0.isHeard == false }
                return Row(
                    key: module.key,
                    tag: isSilent ? StateTag("not known: its gateway is not heard", .plain) : module.tag)
            }
    }

    /// Returns the state of a receiver. One whose modules have problems is not all well.
    private static func tag(of path: String, isHeard: Bool?, _ modules: [FloorStateDocument.Module]) -> StateTag {
        switch isHeard {
        case nil: return StateTag("not known while live positions are off", .plain)
        case false?: return StateTag("not heard", .bad)
        case true?: break
        }
        let troubled = modules.filter {
            ($0.gateway == path || $0.gateway + "/" + $0.name == path) && $0.tag.kind != StateTag.Kind.good.rawValue
        }
        guard let first = troubled.first else { return StateTag("heard now", .good) }
        let words =
            troubled.count == 1
            ? "module \(first.name) \(first.tag.words)" : "\(troubled.count) modules with problems"
        return StateTag("heard now, \(words)", .warn)
    }
}

extension FloorStateDocument.Module {
    /// Key of the module's row.
    var key: String { "module:\(gateway)/\(name)" }

    /// The state in words.
    var tag: StateTag {
        state.flatMap { GatewayFacts.Condition(rawValue: $0) }?.tag ?? .unknownModule
    }
}

extension StateTag {
    /// Name of the sign on a map, which scripts follow: the class of the tag, or `unknown`.
    var sign: String { kind.isEmpty ? "unknown" : kind }
}
