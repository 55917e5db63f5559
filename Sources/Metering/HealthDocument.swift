import RecordContract
package import Watching

/// The answer of `/healthz`.
package struct HealthDocument: Encodable, Equatable, Sendable {
    /// Whether receiving, storing and delivering work now.
    package var live: Bool
    package var receiving: Part
    package var storing: Part
    package var delivering: Part
    /// Facts that do not change `live`; absent where there are none.
    package var notes: [String]?

    package struct Part: Encodable, Equatable, Sendable {
        /// `working`, `starting` or `failing`.
        package var state: String
        /// Description of the fault, or of the event that a start waits for; `nil` while all works.
        package var what: String?
        package var remedy: String?

        init(_ working: Working) {
            switch working {
            case .working: state = "working"
            case .starting(let awaited): (state, what) = ("starting", awaited)
            case .failing(let what, let remedy): (state, self.what, self.remedy) = ("failing", what, remedy)
            }
        }
    }

    package init(_ liveness: Liveness) {
        live = liveness.isLive
        receiving = Part(liveness.receiving)
        storing = Part(liveness.storing)
        delivering = Part(liveness.delivering)
        notes = liveness.notes.isEmpty ? nil : liveness.notes
    }

    /// The document as it is sent: one line.
    package var encoded: [UInt8] { JSON.encode(self) + [UInt8(ascii: "\n")] }
}
