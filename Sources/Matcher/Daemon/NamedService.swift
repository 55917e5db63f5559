import ServiceLifecycle

/// A service that goes by its name in the log, and not by everything that it was configured with: there are secrets in it.
protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    var description: String { "\(Self.self)" }
}
