import ServiceLifecycle

/// A service that is logged by its name, and not with its whole configuration, which holds secrets.
protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    var description: String { "\(Self.self)" }
}
