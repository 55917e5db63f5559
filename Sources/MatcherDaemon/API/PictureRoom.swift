import HTTPServing

/// Room for pictures of test results that are being received or read. Anybody can send one, and each is in memory
/// meanwhile. Pure.
struct PictureRoom: Sendable {
    /// Maximum number of pictures.
    static let most = 16
    /// Maximum number of pictures of one client: whoever sends slowly would keep the places of all others. The people
    /// of a site may share one address.
    static let mostOfOne = 8

    private var counts: [String: Int] = [:]

    /// Takes a place, which must be given back.
    ///
    /// - Parameter client: the client's address. Those who connect to a Unix socket cannot be told apart.
    /// - Returns: whether there was one.
    mutating func take(_ client: String) -> Bool {
        let own = counts[client] ?? 0
        guard counts.values.reduce(0, +) < Self.most, own < Self.mostOfOne || client == ClientAddress.local else {
            return false
        }
        counts[client] = own + 1
        return true
    }

    mutating func giveBack(_ client: String) {
        let left = (counts[client] ?? 0) - 1
        counts[client] = left > 0 ? left : nil
    }
}
