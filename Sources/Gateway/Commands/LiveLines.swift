import CommandSupport
import SystemIO

/// Lines that change in place in a terminal; in a pipe, each change is a line of its own.
final class LiveLines: Sendable {
    private struct State: Sendable {
        var order: [String] = []
        var texts: [String: String] = [:]
        var drawn = 0
    }

    private let isInteractive: Bool
    private let state = LockedValue(State())

    init(isInteractive: Bool) { self.isInteractive = isInteractive }

    /// Sets the line of `key`.
    func set(_ key: String, _ text: String) {
        let output: String = state.withLock { state in
            if state.texts[key] == text { return "" }
            if state.texts[key] == nil { state.order.append(key) }
            state.texts[key] = text
            guard isInteractive else { return text + "\n" }
            let up = state.drawn > 0 ? "\u{1B}[\(state.drawn)A" : ""
            state.drawn = state.order.count
            let size = Terminal.size
            // Lines that have scrolled away cannot be redrawn.
            let shown = state.order.suffix(max(1, size.rows - 2))
            state.drawn = shown.count
            return up + "\r"
                + shown.map { String((state.texts[$0] ?? "").prefix(size.columns - 1)) + "\u{1B}[K\n" }.joined()
        }
        // Closed output is no reason to stop half-way.
        try? Terminal.write(output)
    }
}
