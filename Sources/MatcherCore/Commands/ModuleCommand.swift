import RecordContract

/// A command to a module that an operator gives on the page.
package struct ModuleCommand: Hashable, Sendable {
    /// Commands of the page. What a module advertises is set in the gateway's inventory, so `provision` is not among
    /// them.
    package enum Name: String, CaseIterable, Sendable {
        case identify, reset
    }

    package let name: Name
    /// `site/building/floor/gateway`.
    package let gateway: String
    package let module: String

    private static let longestModule = 64

    /// Creates a command; `nil` if no gateway or module can have these names.
    package init?(_ name: Name, gateway: String, module: String) {
        let levels = gateway.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard Topics.isPlace(levels), Topics.isLevel(module), module.utf8.count <= Self.longestModule else {
            return nil
        }
        self.name = name
        self.gateway = gateway
        self.module = module
    }

    /// Returns the topic of the command.
    ///
    /// - Parameter prefix: the first level of all topics.
    package func topic(prefix: String) -> String { "\(Self.root(prefix))/\(gateway)/command/\(name.rawValue)" }

    /// Returns the topic of its reply.
    package func replyTopic(prefix: String) -> String { "\(Self.root(prefix))/\(gateway)/reply/\(name.rawValue)" }

    /// Returns the filters of the replies of all gateways to the commands of the page.
    ///
    /// Brokers that list the filters of a user need the same ones for all gateways.
    package static func replyFilters(prefix: String) -> [String] {
        Name.allCases.map { "\(root(prefix))/+/+/+/+/reply/\($0.rawValue)" }
    }

    private static func root(_ prefix: String) -> String { "\(prefix)/v\(Contract.version)" }
}
