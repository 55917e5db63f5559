/// Room in memory for large forms. A form is received whole before it is looked at, and anybody can send one, so many
/// at once would take more memory than there is. Pure.
struct FormRoom: Sendable {
    /// Largest body in bytes that needs no room: there are not enough connections for too many of them.
    static let free = 65_536
    /// Bytes for senders who may not use the route: whose session has ended gets back what was typed.
    static let ofStrangers = 32 * 1_048_576
    /// Bytes for senders in a role that the route is for. Others, who can be many students, cannot take them.
    static let ofAllowed = 256 * 1_048_576

    private var strangers = 0
    private var allowed = 0

    /// Takes room for a body, which `giveBack` must give back.
    ///
    /// - Returns: `false` if there is not enough; then none is taken.
    mutating func take(_ length: Int, isAllowed: Bool) -> Bool {
        let (taken, most) = isAllowed ? (allowed, Self.ofAllowed) : (strangers, Self.ofStrangers)
        guard length <= most - taken else { return false }
        add(length, isAllowed)
        return true
    }

    mutating func giveBack(_ length: Int, isAllowed: Bool) { add(-length, isAllowed) }

    private mutating func add(_ length: Int, _ isAllowed: Bool) {
        if isAllowed { allowed += length } else { strangers += length }
    }
}
