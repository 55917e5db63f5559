import RecordContract

/// Settings of the commands that operators give to modules on the page.
enum CommandSettings: Equatable, Sendable {
    /// Commands are signed. The site's secret gives the key of each gateway.
    case signed(SiteKey)
    /// Commands are not signed, for sites whose gateways have no key.
    case unsigned

    var isSigned: Bool { self != .unsigned }

    /// Returns the key that signs commands for a gateway; `nil` if they are not signed.
    ///
    /// - Parameter gateway: `site/building/floor/gateway`.
    func key(of gateway: String) -> SigningKey? {
        switch self {
        case .signed(let site): site.commandKey(gateway)
        case .unsigned: nil
        }
    }
}
