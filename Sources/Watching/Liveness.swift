import OperatorText

/// What a program is for: receiving, storing and delivering.
package struct Liveness: Sendable, Equatable {
    package var receiving: Working
    package var storing: Working
    package var delivering: Working
    /// Facts for people that do not change the liveness, such as a second adapter that fails.
    package var notes: [String]

    /// Maximum length of the status line, in Unicode scalars.
    package static var longestStatus: Int { 600 }

    package init(receiving: Working, storing: Working, delivering: Working, notes: [String] = []) {
        self.receiving = receiving
        self.storing = storing
        self.delivering = delivering
        self.notes = notes
    }

    /// The liveness of a program that has not looked at its work yet.
    package static let unknown = Liveness(
        receiving: .starting("the program starts"), storing: .starting("the program starts"),
        delivering: .starting("the program starts"))

    /// Whether all three work.
    package var isLive: Bool { parts.allSatisfy(\.state.isWorking) }

    /// The three parts, by name.
    package var parts: [(name: String, state: Working)] {
        [("receiving", receiving), ("storing", storing), ("delivering", delivering)]
    }

    /// One line for the service manager and for people: what does not work comes first.
    package var statusLine: String {
        let states = Set(parts.map(\.state))
        let texts: [String]
        if states.count == 1, let cause = receiving.cause {
            texts = [cause]
        } else {
            let works = parts.filter(\.state.isWorking).map(\.name).joined(separator: ", ")
            texts = parts.compactMap { $0.state.phrase(of: $0.name) } + (works.isEmpty ? [] : [works])
        }
        return (texts + notes).joined(separator: "; ").shown(upTo: Self.longestStatus)
    }
}
