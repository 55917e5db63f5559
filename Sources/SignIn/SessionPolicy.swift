/// Limits on how long somebody stays signed in.
package struct SessionPolicy: Equatable, Sendable {
    /// Absolute limits of roles that differ from the standard, in seconds.
    package var limits: [Role: Int64]

    /// Standard limit since the sign-in, in seconds.
    package static let standardLimit: Int64 = 12 * 3600
    /// Limit of students since the sign-in, in seconds: a phone stays signed in for a week.
    package static let studentLimit: Int64 = 7 * 86_400
    /// Limit since the last request, in seconds. Sessions of students alone have none but the absolute limit.
    package static let idleLimit: Int64 = 30 * 60
    /// Limits that a configuration can set, in seconds.
    package static let allowedLimits: ClosedRange<Int64> = 300...2_592_000

    package init(limits: [Role: Int64] = [:]) { self.limits = limits }

    /// Returns the limit since the sign-in for an account, in seconds: the shortest of its roles.
    package func limit(of roles: Set<Role>) -> Int64 {
        roles.map { limits[$0] ?? ($0 == .student ? Self.studentLimit : Self.standardLimit) }.min()
            ?? Self.standardLimit
    }

    /// Returns the limit since the last request, in seconds.
    package func idleLimit(of roles: Set<Role>) -> Int64 {
        roles == [.student] ? limit(of: roles) : min(Self.idleLimit, limit(of: roles))
    }

    /// Whether a session is over.
    ///
    /// - Parameters:
    ///   - created: time of the sign-in, in seconds since 1970.
    ///   - used: time of the last request, in seconds since 1970.
    ///   - now: seconds since 1970.
    package func isOver(created: Int64, used: Int64, roles: Set<Role>, now: Int64) -> Bool {
        // A session of the future comes from a clock that was wrong; it cannot be limited.
        now - created >= limit(of: roles) || now - used >= idleLimit(of: roles)
            || created - now > Self.clockTolerance
    }

    private static let clockTolerance: Int64 = 300
}
