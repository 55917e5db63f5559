/// Sign of a state on a map: each has a shape of its own, so that nobody needs its colour.
package enum StateSign: String, CaseIterable, Sendable {
    /// A disc with a tick.
    case good
    /// A triangle with an exclamation mark.
    case warn
    /// A square with a cross.
    case bad
    /// A ring.
    case unknown

    /// Outline within -1.2 and 1.2 on both axes, the second one downwards. What is cut out follows by the rule
    /// `evenodd`.
    package var path: String {
        switch self {
        case .good: "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0zM-.6 0L-.4 -.2L-.15 .05L.4 -.5L.6 -.3L-.15 .45z"
        case .warn: "M0 -1.1L1.15 .95H-1.15zM-.14 -.4V.3h.28V-.4zM-.14 .48v.27h.28v-.27z"
        case .bad:
            "M-1 -1H1V1H-1zM0 -.25L-.4 -.65L-.65 -.4L-.25 0L-.65 .4L-.4 .65L0 .25L.4 .65L.65 .4L.25 0L.65 -.4L.4 -.65z"
        case .unknown: "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0zM-.55 0a.55 .55 0 1 0 1.1 0a.55 .55 0 1 0 -1.1 0z"
        }
    }
}
